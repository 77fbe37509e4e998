import { z } from 'zod';
import { CountryCode } from './accounts.ts';
import { CostEstimate } from './costs.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './page.ts';
import { phoneParams } from './phone-numbers.ts';

export const MessagePrice = z.object({
  country: z.string().describe('Two letters; `*`: all countries that have no price of their own.'),
  category: z.string().describe('As Meta counts it: `marketing`, `utility`, `authentication`, `service` and others.'),
  currency: z.string().describe('ISO 4217.'),
  price: z.string().describe('Of one delivered message; decimal, such as `0.0520`.'),
  valid_from: z.iso.date().describe('From which day on, until a later price of the same country and category.'),
  valid_until: z.iso.date().nullable().describe('Its last day; null where no later price is known.'),
});
export type MessagePrice = z.infer<typeof MessagePrice>;

const common = { callers: ['user', 'api_key', 'project_key'], needsSubscription: true } as const;

export const listMessagePrices = endpoint({
  ...common,
  method: 'GET',
  path: '/api/message-prices',
  reads: 'page',
  permission: 'templates:read',
  summary: 'The price list of messages of the official API, by country and category; empty until one is given',
  query: z.object({
    ...pageQuery(50),
    country: CountryCode.or(z.literal('*')).optional().describe('Of one country, two letters; `*`: of all others.'),
    category: z.string().max(40).optional().describe('Of one category.'),
  }),
  response: { 200: pageOf(MessagePrice) },
});

export const replaceMessagePrices = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/message-prices',
  audit: { act: 'account.prices_replaced', row: 'around', intent: 'account.price_list_requested' },
  permission: 'templates:write',
  summary:
    'Replace the price list by a CSV file: `country`, `category`, `currency`, `price` and, optional, `valid_from`; an empty list is a header alone',
  consumes: 'text/csv',
  response: { 200: z.object({ prices: z.int().nonnegative().describe('How many the list has now.') }) },
  errors: ['invalid_csv', 'file_too_large'],
});

export const exportMessagePrices = endpoint({
  ...common,
  method: 'GET',
  path: '/api/message-prices/export',
  reads: 'page',
  permission: 'templates:read',
  summary: 'The price list as CSV, as it can be put back',
  produces: 'text/csv',
  response: { 200: z.string() },
});

export const getPhoneCosts = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}/costs',
  reads: 'scan',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary: "What a number of the official API delivered in a month and what that cost by the account's price list",
  params: phoneParams,
  query: z.object({
    month: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-11')
      .optional()
      .describe("YYYY-MM, of the account's time zone; left out, this month."),
  }),
  response: {
    200: z.object({
      month: z.string().describe('YYYY-MM.'),
      delivered: z.int().nonnegative().describe('How many messages Meta counted as delivered.'),
      billed: z.int().nonnegative().describe('How many of those it bills.'),
      cost: CostEstimate.describe('Of those that are billed.'),
    }),
  },
  errors: ['not_an_official_number'],
});
