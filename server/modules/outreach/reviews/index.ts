export { findWarnings } from './find-warnings.ts';
export { findRealSenders, forecastProject } from './forecast-project.ts';
export { isKnownTo, mostPlaceholders, presentPlaceholders, reviewedTopic, reviewProfiles } from './review-profiles.ts';
export { messageSkipSql, mustWriteFirstSql, skipsOf, sumOfSkips, windowClosedSql } from './message-skip-sql.ts';
export { blanks, filledSql } from './placeholder-sql.ts';
export { reviewCost } from './review-cost.ts';
export { presentReviewedTemplate, templateSample, templateSkipSql } from './review-template.ts';
export type { LanguageGroup } from './review-template.ts';
