import { updateProject } from '#contracts/projects.ts';
import { makeChaosScene } from '#tests/chaos/chaos-scene.ts';
import type { ChaosScene, CleanUp } from '#tests/chaos/chaos-scene.ts';
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
  database: ChaosScene['database'];
  /** The process that runs now. */
  product(): Product;
  /** Ends it, with a word or without, and starts another. */
  restart(how: 'stop' | 'kill'): Promise<void>;
};

const contactsPerPhone = 3;

export async function makeSoakScene(cleanUp: CleanUp, phoneCount: number): Promise<SoakScene> {
  const standIn = await startStandIn();
  cleanUp.push(standIn.stop);
  const { database, start } = await makeChaosScene(cleanUp, standIn.url);
  let product = await start();
  const phones: SoakPhone[] = [];
  for (let index = 0; index < phoneCount; index += 1) {
    phones.push(await linkPhone(product, standIn.control, index));
  }
  return {
    control: standIn.control,
    phones,
    database,
    product: () => product,
    async restart(how) {
      await product[how]();
      product = await start();
    },
  };
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
