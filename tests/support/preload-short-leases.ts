import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * For a process of the product, of today or of the release before: a lease ends, and a worker looks for phones, after a
 * fraction of the time. The product has no setting that does this, as its processes would have to agree on it.
 */
const shortened = [
  { file: /links\/(?:workers|leases)\.ts$/, constant: /(?<= leaseDurationMs = )15_000(?=;)/, value: '6_000' },
  { file: /sessions\/phone-worker\.ts$/, constant: /(?<= pollMs = )4_000(?=;)/, value: '1_000' },
];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const change = url.startsWith('file:') ? shortened.find(({ file }) => file.test(fileURLToPath(url))) : undefined;
    if (!change) return loaded;
    const source = new TextDecoder().decode(loaded.source as Uint8Array);
    return { ...loaded, source: source.replace(change.constant, change.value) };
  },
});
