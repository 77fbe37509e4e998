import { Fragment } from 'react';

/** Texts that people typed, one after the other; each keeps its own direction. */
export function Separated({ texts }: { texts: readonly string[] }) {
  return texts.map((text, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      <bdi>{text}</bdi>
    </Fragment>
  ));
}
