import { sql } from 'kysely';
import { digitsOfWritten, isUnsettled, numberForms, understandNumber } from '#contracts/understand-number.ts';
import type { UnderstoodNumber, WrittenNumber } from '#contracts/understand-number.ts';
import type { AccountContext } from '#server/context.ts';
import { numberPlans } from '#server/platform/number-plans.ts';

/** `defaultCountry` of a file or an import wins over the account's. */
export type AskedNumber = Omit<WrittenNumber, 'isKnown'>;

type Reader = Pick<AccountContext, 'db'> & { account: Pick<AccountContext['account'], 'id'> };

/** Says whose numbers these are, in their order. */
export async function understandNumbers(ctx: Reader, asked: readonly AskedNumber[]): Promise<UnderstoodNumber[]> {
  return asked.map(await numberReader(ctx, asked));
}

/**
 * A function that says whose number each of `asked` is. Where plus, country and full digits do not settle it, the
 * account's default country and the numbers that it knows do: they are read in one statement for all.
 */
export async function numberReader(
  ctx: Reader,
  asked: readonly AskedNumber[],
): Promise<(asked: AskedNumber) => UnderstoodNumber> {
  // Reading a number is most of what it costs: what is settled is read once.
  const readings = new Map(asked.map((each) => [each, understandNumber(each, numberPlans)]));
  const open = [...readings].flatMap(([each, reading]) => (isUnsettled(reading) ? [each] : []));
  if (open.length === 0) return (each) => readings.get(each) ?? understandNumber(each, numberPlans);
  const { defaultCountry, known } = await findFacts(ctx, [...new Set(open.map(digitsOf))]);
  return (each) => {
    const isKnown = known.has(digitsOf(each));
    return understandNumber({ ...each, defaultCountry: each.defaultCountry ?? defaultCountry, isKnown }, numberPlans);
  };
}

const digitsOf = ({ written }: AskedNumber) => digitsOfWritten(written).digits;

type Facts = { defaultCountry: string | null; known: ReadonlySet<string> };

/**
 * The account's own facts about digits. A profile whose number is not assignable counts where it was given with its
 * country: one that was kept although nobody knew whose number it is says nothing.
 */
async function findFacts({ db, account }: Reader, digits: readonly string[]): Promise<Facts> {
  const forms = digits.flatMap((each) => numberForms(each).map((form) => ({ each, form })));
  const { rows } = await sql<{ default_country: string | null; known: string[] }>`
    select a.default_country, array(
      select f.digits
        from unnest(${forms.map(({ each }) => each)}::text[], ${forms.map(({ form }) => form)}::text[])
               as f (digits, form)
       where exists (select from phones p where p.account_id = a.id and p.number = f.form)
          or exists (select from profiles p where p.account_id = a.id and p.phone = f.form
                       and (p.phone_is_valid or p.phone_given ~ '^\\s*\\(?\\s*(\\+|00)'))
          or exists (select from projects j join conversations c on c.account_id = j.account_id and c.project_id = j.id
                      where j.account_id = a.id and c.contact_key = phone_key(f.form))
    ) as known
      from accounts a where a.id = ${account.id}
  `.execute(db);
  const [row] = rows;
  return { defaultCountry: row?.default_country ?? null, known: new Set(row?.known) };
}

/** Answers the digits that the account knows as full numbers; assignable ones stand without it and are left out. */
export async function findKnownNumbers(ctx: Reader, digits: readonly string[]): Promise<ReadonlySet<string>> {
  const open = digits.filter((each) => isUnsettled(understandNumber({ written: each }, numberPlans)));
  return open.length === 0 ? new Set() : (await findFacts(ctx, [...new Set(open)])).known;
}

/** The country in which the account's national numbers are read; null: nobody said. */
export async function findDefaultCountry({ db, account }: AccountContext): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('default_country')
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow();
  return row.default_country;
}
