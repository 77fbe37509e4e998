type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Where a parameter, a property or an operation has no description, as a path through the document. */
export function findUndescribed(document: unknown): string[] {
  const places: string[] = [];
  function check(named: unknown, place: string): void {
    if (isNode(named) && !('$ref' in named) && typeof named['description'] !== 'string') places.push(place);
  }
  function visit(node: unknown, place: string): void {
    if (!isNode(node)) return;
    if ('operationId' in node) check(node, place);
    const { properties, parameters } = node;
    // A field may be called `properties` itself.
    if (node['type'] === 'object' && isNode(properties) && !place.endsWith('/allOf/1')) {
      for (const [name, property] of Object.entries(properties)) check(property, `${place}/${name}`);
    }
    if (Array.isArray(parameters)) {
      for (const parameter of parameters as Node[]) check(parameter, `${place}/${String(parameter['name'])}`);
    }
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'example' && key !== 'examples') visit(value, `${place}/${key}`);
    }
  }
  visit(document, '');
  return places;
}
