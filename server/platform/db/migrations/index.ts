import type { Migration } from 'kysely';
import * as accountsToWebhooks from './0001-accounts-to-webhooks.ts';
import * as profiles from './0002-profiles.ts';
import * as campaignsAndFlows from './0003-campaigns-and-flows.ts';
import * as payments from './0004-payments.ts';
import * as messageCounts from './0005-message-counts.ts';
import * as storageAndRetention from './0006-storage-and-retention.ts';
import * as applicationRole from './0007-application-role.ts';
import * as schedule from './0008-schedule.ts';
import * as edge from './0009-edge.ts';
import * as webhookEndpoints from './0010-webhook-endpoints.ts';
import * as identity from './0011-identity.ts';
import * as audience from './0013-audience.ts';
import * as ledgers from './0015-ledgers.ts';
import * as slicesAndGuardKeys from './0016-slices-and-guard-keys.ts';
import * as messageContent from './0017-message-content.ts';
import * as dayEnds from './0020-day-ends.ts';
import * as webhookNotices from './0021-webhook-notices.ts';
import * as accountRetention from './0022-account-retention.ts';
import * as phoneProxies from './0024-phone-proxies.ts';
import * as suppressions from './0030-suppressions.ts';
import * as phoneHealth from './0033-phone-health.ts';
import * as waitingUntil from './0034-waiting-until.ts';
import * as knownSendersAndLists from './0035-known-senders-and-lists.ts';
import * as deferredMessages from './0040-deferred-messages.ts';
import * as projectKeys from './0041-project-keys.ts';
import * as endpointsAndEvents from './0042-endpoints-and-events.ts';
import * as requestLog from './0043-request-log.ts';
import * as media from './0050-media.ts';
import * as reading from './0051-reading.ts';
import * as recordings from './0052-recordings.ts';
import * as claimedFetches from './0053-claimed-fetches.ts';
import * as conversations from './0056-conversations.ts';
import * as messageTexts from './0057-message-texts.ts';
import * as foldedMessageTexts from './0058-folded-message-texts.ts';
import * as savedTemplates from './0060-saved-templates.ts';
import * as bulkRuns from './0061-bulk-runs.ts';
import * as carriedMedia from './0062-carried-media.ts';
import * as plainText from './0065-plain-text.ts';
import * as profileTags from './0066-profile-tags.ts';
import * as bulkActions from './0067-bulk-actions.ts';
import * as savedViews from './0068-saved-views.ts';
import * as alerts from './0070-alerts.ts';
import * as outcomes from './0071-outcomes.ts';
import * as phoneWorkers from './0072-phone-workers.ts';
import * as messageAnswers from './0075-message-answers.ts';
import * as defaultCountry from './0080-default-country.ts';
import * as typedColumns from './0083-typed-columns.ts';
import * as foldedSearch from './0084-folded-search.ts';
import * as deletedProfiles from './0085-deleted-profiles.ts';
import * as boundedScopes from './0088-bounded-scopes.ts';
import * as reportDetails from './0094-report-details.ts';
import * as answersAndLimits from './0097-answers-and-limits.ts';
import * as mails from './0102-mails.ts';
import * as flowPasses from './0105-flow-passes.ts';
import * as officialNumbers from './0110-official-numbers.ts';
import * as people from './0120-people.ts';
import * as invitations from './0121-invitations.ts';
import * as officialFacts from './0130-official-facts.ts';
import * as contactWindows from './0131-contact-windows.ts';
import * as marketingStops from './0132-marketing-stops.ts';
import * as waitingMessages from './0140-waiting-messages.ts';
import * as expressions from './0150-expressions.ts';
import * as operators from './0160-operators.ts';
import * as optOutHints from './0170-opt-out-hints.ts';
import * as stoppedFlows from './0171-stopped-flows.ts';
import * as whatsappTemplates from './0180-whatsapp-templates.ts';
import * as audit from './0185-audit.ts';
import * as ownAudiences from './0190-own-audiences.ts';
import * as profileFacts from './0191-profile-facts.ts';
import * as phoneQuestions from './0195-phone-questions.ts';
import * as contactFacts from './0196-contact-facts.ts';
import * as twoFactor from './0210-two-factor.ts';
import * as assignedConversations from './0215-assigned-conversations.ts';
import * as fieldTypes from './0220-field-types.ts';
import * as snoozedConversations from './0250-snoozed-conversations.ts';
import * as callRejection from './0300-call-rejection.ts';
import * as boundTemplates from './0310-bound-templates.ts';
import * as officialLimits from './0311-official-limits.ts';
import * as messageCosts from './0312-message-costs.ts';
import * as keptNumbers from './0313-kept-numbers.ts';
import * as passkeys from './0330-passkeys.ts';
import * as accountKeys from './0331-account-keys.ts';
import * as conversationLabels from './0340-conversation-labels.ts';
import * as conversationNotes from './0341-conversation-notes.ts';
import * as conversationPresence from './0342-conversation-presence.ts';
import * as conversationEpisodes from './0343-conversation-episodes.ts';
import * as notifications from './0344-notifications.ts';
import * as events from './0350-events.ts';
import * as engagements from './0351-engagements.ts';
import * as topics from './0360-topics.ts';
import * as links from './0362-links.ts';
import * as caps from './0364-caps.ts';
import * as drafts from './0370-drafts.ts';
import * as delayedActions from './0371-delayed-actions.ts';
import * as testNumbers from './0372-test-numbers.ts';
import * as accountData from './0380-account-data.ts';
import * as oidc from './0390-oidc.ts';
import * as typedValues from './0400-typed-values.ts';
import * as clickedEngagements from './0401-clicked-engagements.ts';
import * as namedEvents from './0402-named-events.ts';
import * as segmentMoves from './0410-segment-moves.ts';
import * as scopedUsers from './0420-scoped-users.ts';
import * as phoneHistories from './0430-phone-histories.ts';
import * as cells from './0441-cells.ts';
import * as messageOptOuts from './0460-message-opt-outs.ts';
import * as keptKeys from './0470-kept-keys.ts';
import * as handsetNames from './0480-handset-names.ts';
import * as membership from './0510-membership.ts';
import * as oidcLeads from './0530-oidc-leads.ts';
import * as workerRoom from './0531-worker-room.ts';
import * as projectLimits from './0550-project-limits.ts';
import * as claimsOfOlderWorkers from './0570-claims-of-older-workers.ts';
import * as flowCandidates from './0580-flow-candidates.ts';
import * as languages from './0620-languages.ts';
import * as narrowedAudiences from './0625-narrowed-audiences.ts';
import * as erasedNames from './0630-erased-names.ts';
import * as segmentCounts from './0640-segment-counts.ts';
import * as auditMonths from './0700-audit-months.ts';
import * as sharedNumbers from './0740-shared-numbers.ts';
import * as auditWords from './0750-audit-words.ts';
import * as handlesOfJoiners from './0751-handles-of-joiners.ts';
import * as operatorApp from './0770-operator-app.ts';
import * as workerLeases from './0780-worker-leases.ts';
import * as templateCounts from './0790-template-counts.ts';
import * as countedFigures from './0800-counted-figures.ts';
import * as orderedIds from './0830-ordered-ids.ts';
import * as contractMessageIndexes from './0850-contract-message-indexes.ts';
import * as twoStepTriggers from './0860-two-step-triggers.ts';
import * as packedWebhooks from './0880-packed-webhooks.ts';
import * as contractPackedWebhooks from './0881-contract-packed-webhooks.ts';
import * as catalogueOfChanges from './0890-catalogue-of-changes.ts';
import * as joinsOfAnyLength from './0900-joins-of-any-length.ts';
import * as placesOfTimeZones from './0965-places-of-time-zones.ts';
import * as statementsOfCells from './0985-statements-of-cells.ts';

/** In the order of their names, which are kept in every database that ran them: add, never rename. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts-to-webhooks': accountsToWebhooks,
  '0002-profiles': profiles,
  '0003-campaigns-and-flows': campaignsAndFlows,
  '0004-payments': payments,
  '0005-message-counts': messageCounts,
  '0006-storage-and-retention': storageAndRetention,
  '0007-application-role': applicationRole,
  '0008-schedule': schedule,
  '0009-edge': edge,
  '0010-webhook-endpoints': webhookEndpoints,
  '0011-identity': identity,
  '0013-audience': audience,
  '0015-ledgers': ledgers,
  '0016-slices-and-guard-keys': slicesAndGuardKeys,
  '0017-message-content': messageContent,
  '0020-day-ends': dayEnds,
  '0021-webhook-notices': webhookNotices,
  '0022-account-retention': accountRetention,
  '0024-phone-proxies': phoneProxies,
  '0030-suppressions': suppressions,
  '0033-phone-health': phoneHealth,
  '0034-waiting-until': waitingUntil,
  '0035-known-senders-and-lists': knownSendersAndLists,
  '0040-deferred-messages': deferredMessages,
  '0041-project-keys': projectKeys,
  '0042-endpoints-and-events': endpointsAndEvents,
  '0043-request-log': requestLog,
  '0050-media': media,
  '0051-reading': reading,
  '0052-recordings': recordings,
  '0053-claimed-fetches': claimedFetches,
  '0056-conversations': conversations,
  '0057-message-texts': messageTexts,
  '0058-folded-message-texts': foldedMessageTexts,
  '0060-saved-templates': savedTemplates,
  '0061-bulk-runs': bulkRuns,
  '0062-carried-media': carriedMedia,
  '0065-plain-text': plainText,
  '0066-profile-tags': profileTags,
  '0067-bulk-actions': bulkActions,
  '0068-saved-views': savedViews,
  '0070-alerts': alerts,
  '0071-outcomes': outcomes,
  '0072-phone-workers': phoneWorkers,
  '0075-message-answers': messageAnswers,
  '0080-default-country': defaultCountry,
  '0083-typed-columns': typedColumns,
  '0084-folded-search': foldedSearch,
  '0085-deleted-profiles': deletedProfiles,
  '0088-bounded-scopes': boundedScopes,
  '0094-report-details': reportDetails,
  '0097-answers-and-limits': answersAndLimits,
  '0102-mails': mails,
  '0105-flow-passes': flowPasses,
  '0110-official-numbers': officialNumbers,
  '0120-people': people,
  '0121-invitations': invitations,
  '0130-official-facts': officialFacts,
  '0131-contact-windows': contactWindows,
  '0132-marketing-stops': marketingStops,
  '0140-waiting-messages': waitingMessages,
  '0150-expressions': expressions,
  '0160-operators': operators,
  '0170-opt-out-hints': optOutHints,
  '0171-stopped-flows': stoppedFlows,
  '0180-whatsapp-templates': whatsappTemplates,
  '0185-audit': audit,
  '0190-own-audiences': ownAudiences,
  '0191-profile-facts': profileFacts,
  '0195-phone-questions': phoneQuestions,
  '0196-contact-facts': contactFacts,
  '0210-two-factor': twoFactor,
  '0215-assigned-conversations': assignedConversations,
  '0220-field-types': fieldTypes,
  '0250-snoozed-conversations': snoozedConversations,
  '0300-call-rejection': callRejection,
  '0310-bound-templates': boundTemplates,
  '0311-official-limits': officialLimits,
  '0312-message-costs': messageCosts,
  '0313-kept-numbers': keptNumbers,
  '0330-passkeys': passkeys,
  '0331-account-keys': accountKeys,
  '0340-conversation-labels': conversationLabels,
  '0341-conversation-notes': conversationNotes,
  '0342-conversation-presence': conversationPresence,
  '0343-conversation-episodes': conversationEpisodes,
  '0344-notifications': notifications,
  '0350-events': events,
  '0351-engagements': engagements,
  '0360-topics': topics,
  '0362-links': links,
  '0364-caps': caps,
  '0370-drafts': drafts,
  '0371-delayed-actions': delayedActions,
  '0372-test-numbers': testNumbers,
  '0380-account-data': accountData,
  '0390-oidc': oidc,
  '0400-typed-values': typedValues,
  '0401-clicked-engagements': clickedEngagements,
  '0402-named-events': namedEvents,
  '0410-segment-moves': segmentMoves,
  '0420-scoped-users': scopedUsers,
  '0430-phone-histories': phoneHistories,
  '0441-cells': cells,
  '0460-message-opt-outs': messageOptOuts,
  '0470-kept-keys': keptKeys,
  '0480-handset-names': handsetNames,
  '0510-membership': membership,
  '0530-oidc-leads': oidcLeads,
  '0531-worker-room': workerRoom,
  '0550-project-limits': projectLimits,
  '0570-claims-of-older-workers': claimsOfOlderWorkers,
  '0580-flow-candidates': flowCandidates,
  '0620-languages': languages,
  '0625-narrowed-audiences': narrowedAudiences,
  '0630-erased-names': erasedNames,
  '0640-segment-counts': segmentCounts,
  '0700-audit-months': auditMonths,
  '0740-shared-numbers': sharedNumbers,
  '0750-audit-words': auditWords,
  '0751-handles-of-joiners': handlesOfJoiners,
  '0770-operator-app': operatorApp,
  '0780-worker-leases': workerLeases,
  '0790-template-counts': templateCounts,
  '0800-counted-figures': countedFigures,
  '0830-ordered-ids': orderedIds,
  '0850-contract-message-indexes': contractMessageIndexes,
  '0860-two-step-triggers': twoStepTriggers,
  '0880-packed-webhooks': packedWebhooks,
  '0881-contract-packed-webhooks': contractPackedWebhooks,
  '0890-catalogue-of-changes': catalogueOfChanges,
  '0900-joins-of-any-length': joinsOfAnyLength,
  '0965-places-of-time-zones': placesOfTimeZones,
  '0985-statements-of-cells': statementsOfCells,
};
