import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Endpoint } from '#contracts/endpoint.ts';
import { answerUnknownPath } from '#server/platform/http/problem.ts';

type Address = { path: string; matches: RegExp; methods: readonly HTTPMethods[] };

/** The paths of the endpoints, those without parameters first: `/profiles/import` is none of `/profiles/{profileId}`. */
function addressesOf(endpoints: readonly Endpoint[]): readonly Address[] {
  const parameters = ({ path }: Address) => path.split('{').length;
  return Array.from(
    Map.groupBy(endpoints, ({ path }) => path),
    ([path, atPath]): Address => ({
      path,
      matches: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      methods: atPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    }),
  ).toSorted((a, b) => parameters(a) - parameters(b));
}

/** Answers 405 to a wrong method, also where the router would take the path for a parameter of another endpoint's. */
export function refuseWrongMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const addresses = addressesOf(endpoints);
  app.decorate('methodsAt', (path: string) => addresses.find(({ matches }) => matches.test(path))?.methods ?? []);
  for (const { path, methods } of addresses.filter((address) => !address.path.includes('{'))) {
    const others = addresses.filter((address) => address.path !== path && address.matches.test(path));
    // The router makes HEAD of GET by itself.
    const right = new Set<string>([...methods, 'HEAD']);
    const wrong = new Set(others.flatMap((address) => address.methods).filter((method) => !right.has(method)));
    if (wrong.size === 0) continue;
    app.route({
      method: [...wrong],
      url: path,
      // Before its body, which nothing here reads.
      onRequest: (request, reply, _done) => void answerUnknownPath(request, reply),
      handler: answerUnknownPath,
    });
  }
}
