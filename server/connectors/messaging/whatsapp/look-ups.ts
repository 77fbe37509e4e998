import { USyncQuery, USyncUser } from 'baileys';
import type { BinaryNode, WASocket } from 'baileys';
import { createBatcher } from '#server/platform/batcher.ts';
import { isBoom } from './boom.ts';
import type { LookUpBreaker } from './look-up-breaker.ts';

/** WhatsApp's own programs ask about a page of contacts at a time. */
const maxNumbers = 50;

const badRequest = 400;

export type LookUpSocket = Pick<WASocket, 'executeUSyncQuery' | 'signalRepository'>;

/** Whether numbers are on WhatsApp: the address each is known by, or null. */
export type LookUps = { find(number: string): Promise<string | null> };

type Answer = { jid: string | null } | { error: unknown };

/** Look-ups that arrive while a query is under way share the next query. */
export function createLookUps(socket: LookUpSocket, breaker: LookUpBreaker): LookUps {
  const batcher = createBatcher<string, Answer>(
    async (numbers) => {
      try {
        const found = await breaker.run(() => ask(socket, numbers));
        return numbers.map((number) => found.get(number) ?? { error: new Error('WhatsApp left a number out') });
      } catch (error) {
        // A number that the server does not understand fails the whole query: the batch is split.
        if (numbers.length > 1 && isBoom(error) && Number(error.data) === badRequest) throw error;
        return numbers.map(() => ({ error }));
      }
    },
    { maxItems: maxNumbers },
  );
  return {
    async find(number) {
      const answer = await batcher.add(number);
      if ('error' in answer) throw answer.error;
      return answer.jid;
    },
  };
}

/** The LIDs come with the same answer: without them every number would be asked about a second time. */
async function ask(socket: LookUpSocket, numbers: readonly string[]): Promise<Map<string, Answer>> {
  const query = new USyncQuery().withLIDProtocol();
  query.protocols.unshift(contactByNumber);
  for (const number of numbers) query.withUser(new USyncUser().withPhone(`+${number}`));
  const result = await socket.executeUSyncQuery(query);
  if (!result) throw new Error('WhatsApp did not say whether the numbers have accounts');
  const found = new Map<string, Answer>();
  const mappings: { lid: string; pn: string }[] = [];
  for (const { id, contact, lid } of result.list) {
    if (!contact) continue;
    const { number, isOnWhatsApp } = contact as ContactAnswer;
    found.set(number, { jid: isOnWhatsApp ? id : null });
    if (isOnWhatsApp && typeof lid === 'string') mappings.push({ lid, pn: id });
  }
  await socket.signalRepository.lidMapping.storeLIDPNMappings(mappings);
  return found;
}

type ContactAnswer = { number: string; isOnWhatsApp: boolean };

/**
 * Baileys' own version forgets which number an answer is for, and the address may be another: Brazilian mobiles lose
 * their ninth digit.
 */
const contactByNumber: USyncQuery['protocols'][number] = {
  name: 'contact',
  getQueryElement: () => ({ tag: 'contact', attrs: {} }),
  getUserElement: ({ phone }) => ({ tag: 'contact', attrs: {}, content: phone ?? '' }),
  parser: ({ attrs, content }: BinaryNode): ContactAnswer => ({
    number: textOf(content).replace(/\D/g, ''),
    isOnWhatsApp: attrs.type === 'in',
  }),
};

function textOf(content: BinaryNode['content']): string {
  if (typeof content === 'string') return content;
  return content instanceof Uint8Array ? Buffer.from(content).toString() : '';
}
