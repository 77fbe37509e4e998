import { updateProject } from '#contracts/projects.ts';
import { makeChaosScene, makeStart } from '#tests/chaos/chaos-scene.ts';
import type { CleanUp } from '#tests/chaos/chaos-scene.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { scanPhone } from '#tests/support/scan-phone.ts';
import type { Product } from '#tests/support/product.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import type { StandInControl } from '#tests/whatsapp/control.ts';

/** A phone of a project of its own, so that everything to one recipient goes through it. */
export type SoakPhone = { number: string; projectId: number; authKey: string; contacts: readonly string[] };

export type SoakScene = {
  control: StandInControl;
  phones: readonly SoakPhone[];
  connectionString: string;
  /** The process that runs now. */
  product(): Product;
  /** Ends it, with a word or without, and starts another. */
  restart(how: 'stop' | 'kill'): Promise<void>;
};

const contactsPerPhone = 3;

type Home = { connectionString: string; settings: Readonly<Record<string, string>> };

/** `home`: a database that is there already, with the settings that lead the product to it. */
export async function makeSoakScene(cleanUp: CleanUp, phoneCount: number, home?: Home): Promise<SoakScene> {
  const standIn = await startStandIn();
  cleanUp.push(standIn.stop);
  const { connectionString, start } = home
    ? { ...home, start: await makeStart(cleanUp, standIn.url, home.settings) }
    : await ofOwnDatabase(cleanUp, standIn.url);
  let product = await start();
  const phones: SoakPhone[] = [];
  for (let index = 0; index < phoneCount; index += 1) {
    phones.push(await linkPhone(product, standIn.control, index));
  }
  return {
    control: standIn.control,
    phones,
    connectionString,
    product: () => product,
    async restart(how) {
      await product[how]();
      product = await start();
    },
  };
}

async function ofOwnDatabase(cleanUp: CleanUp, whatsAppUrl: string) {
  const { database, start } = await makeChaosScene(cleanUp, whatsAppUrl);
  return { connectionString: database.connectionString, start };
}

async function linkPhone({ url }: Product, control: StandInControl, index: number): Promise<SoakPhone> {
  const customer = await signUpSubscriber(url);
  const { id: projectId, auth_key: authKey } = await makeProject(customer);
  await customer.api.call(updateProject, { params: { projectId }, body: { import_history: true } });
  const number = String(5_511_920_000_000 + index);
  await scanPhone(control, customer.api, { projectId, phone_number: number, max_daily_messages: 1_000_000 });
  const contacts = Array.from({ length: contactsPerPhone }, (_, place) =>
    String(5_511_930_000_000 + index * 10 + place),
  );
  return { number, projectId, authKey, contacts };
}
