export { forecastProject } from './forecast-project.ts';
export { isKnownTo, mostPlaceholders, presentPlaceholders, reviewProfiles } from './review-profiles.ts';
