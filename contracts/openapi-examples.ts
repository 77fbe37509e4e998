export type JsonSchema = Record<string, unknown>;

/** A value that a field of this name may have; `Owner.field` comes before `field`. */
const values: Readonly<Record<string, unknown>> = {
  segment_id: 1,
  conditions: [{ fieldPath: 'status', operator: 'equals', value: 'active' }],
  to: '14155550132',
  from: '14155550101',
  phone: '14155550132',
  phone_number: '14155550101',
  email: 'ada@example.com',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newPassword: 'battery horse correct',
  name: 'Ada Lovelace',
  'Project.name': 'Larkspur Store',
  'NewProject.name': 'Larkspur Store',
  'NewSegment.condition': { fieldPath: 'status', operator: 'equals', value: 'active' },
  'Campaign.name': 'Autumn',
  'BulkRun.name': 'customers.csv',
  'NewBulkRun.name': 'customers.csv',
  'NewCampaign.name': 'Autumn',
  'Flow.name': 'Welcome',
  'NewFlow.name': 'Welcome',
  'NewFlow.action': { projectId: 1, message: 'Hello {name|there}' },
  'Segment.name': 'Lisbon',
  'SavedTemplate.name': 'Order ready',
  'NewSavedTemplate.name': 'Order ready',
  'NewSegment.name': 'Lisbon',
  'ProjectKey.name': 'Shop',
  'NewProjectKey.name': 'Shop',
  'NewWhatsappTemplate.name': 'order_ready',
  'WhatsappTemplate.name': 'order_ready',
  'SentTemplate.name': 'order_ready',
  'NewProjectKeyAnswer.name': 'Shop',
  'Plan.name': 'Premium Plan',
  message: 'Your order #4821 is on its way',
  'Campaign.message': 'Hello {name}',
  language: 'en_US',
  'NewCampaign.message': 'Hello {name}',
  timezone: 'Europe/Lisbon',
  fieldPath: 'custom_fields.city',
  operator: 'equals',
  value: 'Lisbon',
  dateFieldPath: 'updated_at',
  connector: 'sandbox',
  phone_number_id: '106540352242922',
  business_account_id: '102290129340398',
  dialog_url: 'https://www.facebook.com/v25.0/dialog/oauth?client_id=716455020931884',
  redirect_uri: 'https://dovepost.example.com/official-sign-up',
  callback_url: 'https://dovepost.example.com/hooks/whatsapp/dpw_example',
  webhook_url: 'https://shop.example/webhooks',
  url: 'https://shop.example/webhooks',
  country_code: 'US',
  cc: '1',
  number: '4155550132',
  metadata: { order: '4821' },
  custom_fields: { city: 'Lisbon' },
  idempotency_key: 'order-4821-shipped',
  scopes: ['messages:send', 'messages:read'],
  key: 'dpk_example',
  auth_key: 'dpa_example',
  webhook_secret: 'whsec_example',
  api_key: 'dpu_example',
  token: 'dps_example',
  price: 9.99,
  allow_unknown: true,
  search: 'ada',
  city: 'Lisbon',
  header: 'phone',
  field: 'phone',
  fields: ['phone', 'name'],
  cells: ['14155550132', 'Ada Lovelace'],
  hint: 'dpk_exam',
  request_id: '0b8f6c1e-5f0e-4c39-9d55-6a0c1d1f2b3a',
  docs: 'https://dovepost.example/docs/errors#not_found',
  emoji: '👍',
  events: ['*'],
  secret: 'whsec_example',
  hours: 24,
  RecipientInput: '+14155550132',
  'ImportColumn.samples': ['14155550132'],
  'NewBulkAction.ids': [1, 2],
  'NewBulkAction.tags': ['vip'],
};

const moment = '2026-11-20T14:06:31.000Z';

/** A value that fits the schema, its own example where it has one: the same each time. */
export function exampleOf(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  at: { field?: string; owner?: string } = {},
): unknown {
  const chosen = values[`${at.owner}.${at.field}`] ?? values[at.field ?? at.owner ?? ''];
  if (chosen !== undefined && fits(chosen, schema)) return chosen;
  const { $ref, anyOf, oneOf, allOf, type, properties, items } = schema as {
    $ref?: string;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    allOf?: JsonSchema[];
    type?: string | string[];
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
  };
  if ($ref !== undefined) {
    const owner = $ref.slice($ref.lastIndexOf('/') + 1);
    const { field: _, ...rest } = at;
    return exampleOf(components[owner] ?? {}, components, { ...rest, owner });
  }
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if ('default' in schema) return schema['default'];
  const options = anyOf ?? oneOf ?? allOf;
  if (options?.[0]) return options.some(isNull) ? null : exampleOf(options[0], components, at);
  const kind = Array.isArray(type) ? (type.includes('null') ? 'null' : type[0]) : type;
  switch (kind) {
    case 'object': {
      const required = (schema['required'] as string[] | undefined) ?? [];
      const fields = Object.entries(properties ?? {}).filter(
        ([field]) => required.includes(field) || field in values || `${at.owner}.${field}` in values,
      );
      const owner = at.owner === undefined ? {} : { owner: at.owner };
      return Object.fromEntries(
        fields.map(([field, property]) => [field, exampleOf(property, components, { field, ...owner })]),
      );
    }
    case 'array':
      return items === undefined ? [] : [exampleOf(items, components, at)];
    case 'integer':
    case 'number':
      return Math.max(Number(schema['minimum'] ?? 1), 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return schema['format'] === 'date-time' ? moment : schema['format'] === 'date' ? moment.slice(0, 10) : 'text';
  }
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

/** Whether a value is of the schema's type; of a reference it is taken to be. */
function fits(value: unknown, { type, anyOf, oneOf, items }: JsonSchema): boolean {
  const options = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (options) return options.some((option) => fits(value, option));
  if (type === undefined) return true;
  if (Array.isArray(value) && items && !value.every((item) => fits(item, items as JsonSchema))) return false;
  const types = Array.isArray(type) ? (type as string[]) : [type];
  return types.includes(typeOf(value)) || (types.includes('integer') && Number.isInteger(value));
}

const isNull = ({ type }: JsonSchema) => type === 'null';
