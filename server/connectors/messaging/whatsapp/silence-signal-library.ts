/**
 * libsignal 6.0.0 prints whole sessions, private keys included, to the console as it opens and closes them, and
 * comments on every message that does not decrypt. These are all the lines it prints.
 */
const signalLines = [
  'Closing session:',
  'Opening session:',
  'Removing old closed session:',
  'Migrating session to:',
  'V1 session storage migration error',
  'Session already closed',
  'Session already open',
  'Closing open session in favor of incoming prekey bundle',
  'Decrypted message with closed session.',
  'Failed to decrypt message with any known session',
  'Session error:',
];

let isSilenced = false;

/** Drops those lines and lets everything else through. Later calls change nothing. */
export function silenceSignalLibrary(): void {
  if (isSilenced) return;
  isSilenced = true;
  for (const method of ['info', 'warn', 'error'] as const) {
    const print = console[method].bind(console);
    console[method] = (...args: unknown[]) => {
      const [first] = args;
      if (typeof first === 'string' && signalLines.some((line) => first.startsWith(line))) return;
      print(...args);
    };
  }
}
