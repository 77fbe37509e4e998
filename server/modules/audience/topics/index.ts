export { findConsents, findTopicsOf } from './find-topics.ts';
export { consentOf, isOutOfSourceTopic, isOutOfTopic } from './out-of-topic.ts';
export { newWords, noteConsents } from './note-consents.ts';
export { preferencesUrl } from './preferences/link.ts';
export { mountPreferences } from './preferences/mount.ts';
export { topicRoutes } from './routes.ts';
export { findRules, forgetRules, noRules, requireTopic, rulesOf, setRules } from './source-rules.ts';
export type { SourceRules } from './source-rules.ts';
