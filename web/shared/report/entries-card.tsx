import type { ReactNode } from 'react';
import type { Report } from '#contracts/reports.ts';
import { Card } from '../ui/card.tsx';
import { figureOf, type EntrySearch } from './entry-search.ts';
import { EntryTools, type EntryCounts } from './entry-tools.tsx';
import { figureContext, figureTitle, type Noun } from './figure-words.ts';

/** So few that the charts stay near; the pager has the rest. */
export const entriesPageSize = 10;

type EntriesCardProps = {
  /** 'Recipients': its title while no figure is chosen. */
  title: string;
  noun: Noun;
  search: EntrySearch;
  /** Undefined while there are no entries: nothing is to be searched. */
  counts: EntryCounts | undefined;
  report: Report | undefined;
  /** How many the figure and the search find, once it is known. */
  total: number | undefined;
  onChange: (search: EntrySearch) => void;
  /** Buttons for the people who are shown. */
  actions: ReactNode;
  children: ReactNode;
};

/** The people of the chosen figure of a report, or all of them, below its figures. */
export function EntriesCard(props: EntriesCardProps) {
  const { title, noun, search, counts, report, total, onChange, actions, children } = props;
  const figure = figureOf(search);
  const isChosen = Object.keys(figure).length > 0 && search.search === undefined && total !== undefined;
  return (
    <Card
      flush
      id="entries"
      title={isChosen ? figureTitle(figure, total, noun) : title}
      description={isChosen && report !== undefined ? <bdi>{figureContext(figure, report, noun)}</bdi> : undefined}
      actions={counts !== undefined && actions}
    >
      {counts !== undefined && (
        <EntryTools what={title.toLowerCase()} search={search} counts={counts} onChange={onChange} />
      )}
      {children}
    </Card>
  );
}
