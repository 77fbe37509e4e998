import { z } from 'zod';

export const ConnectorName = z
  .enum(['whatsapp', 'sandbox', 'cloud'])
  .describe('`whatsapp` is linked by a QR code, `cloud` is the official API, `sandbox` is simulated.');
export type ConnectorName = z.infer<typeof ConnectorName>;

/** The traits of connectors, so that no code asks for a connector by name. */
export type ConnectorTraits = {
  /** How a number comes to it: a handset scans a code, somebody enters credentials, or nothing is needed. */
  readonly link: 'qr' | 'credentials' | 'none';
  /** Queued messages keep the pace of a linked number: gaps, warm-up, daytime. */
  readonly isPaced: boolean;
  /** Delivers to nobody. */
  readonly isSimulated: boolean;
  /** Whether the network's id of a message is ours, chosen before it is sent, or comes with the network's answer. */
  readonly networkId: 'ours' | 'theirs';
  /** Free content reaches a contact for so many hours after they last wrote; null: always. */
  readonly windowHours: number | null;
  /** Content outside that window is a template that the network has approved. */
  readonly hasTemplates: boolean;
  /** Messages that were sent can be edited and deleted for everybody, and polls can be sent. */
  readonly changesSent: boolean;
  /** Says whether numbers are on the network, and the like. */
  readonly answersQuestions: boolean;
  /** Sends that may be under way at once for one number. */
  readonly concurrency: number;
};

/** Messages a second of an official number of which Meta has said nothing else. */
export const standardThroughput = 80;

export const connectorTraits: Readonly<Record<ConnectorName, ConnectorTraits>> = {
  whatsapp: {
    link: 'qr',
    isPaced: true,
    isSimulated: false,
    networkId: 'ours',
    windowHours: null,
    hasTemplates: false,
    changesSent: true,
    answersQuestions: true,
    concurrency: 32,
  },
  sandbox: {
    link: 'none',
    isPaced: false,
    isSimulated: true,
    networkId: 'ours',
    windowHours: null,
    hasTemplates: false,
    changesSent: true,
    answersQuestions: true,
    concurrency: 500,
  },
  cloud: {
    link: 'credentials',
    isPaced: false,
    isSimulated: false,
    networkId: 'theirs',
    windowHours: 24,
    hasTemplates: true,
    changesSent: false,
    answersQuestions: false,
    concurrency: 64,
  },
};

const names = ConnectorName.options;

/** The names of the connectors of which something holds, for queries. */
export const connectorsThat = (holds: (traits: ConnectorTraits) => boolean): ConnectorName[] =>
  names.filter((name) => holds(connectorTraits[name]));

export const isSimulated = (connector: ConnectorName) => connectorTraits[connector].isSimulated;
