/** Of what people do with messages of campaigns, flows and bulk runs; asked for like any event. */
export const messageEvents = [
  '$message.sent',
  '$message.delivered',
  '$message.read',
  '$message.replied',
  '$message.clicked',
  '$message.failed',
  '$message.opted_out',
] as const;
export type MessageEvent = (typeof messageEvents)[number];
