import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { plainContext, sampleMessage } from '#web/testing/samples.ts';
import type { MediaMessage } from './media-message.ts';
import { Thumbnail } from './thumbnail.tsx';
import { VideoTile } from './tiles.tsx';
import { MediaViewing } from './viewing.tsx';

const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

const file = {
  id: 'media_9',
  mime_type: 'video/mp4',
  file_name: null,
  size: 1_900_000,
  sha256: 'ab',
  state: 'stored',
  has_thumbnail: false,
} as const;

async function showFilm(hasThumbnail: boolean) {
  const picture = await (await fetch(pixel)).blob();
  const requests = answerRequests({ 'GET /api/media/media_9/thumbnail': () => ({ body: picture }) });
  const film = sampleMessage({
    type: 'video',
    media: { ...file, has_thumbnail: hasThumbnail },
  }) as MediaMessage;
  render(
    <>
      <VideoTile message={film} />
      <Thumbnail message={film} className="size-9" />
    </>,
  );
  await expect.element(page.getByText('Video · 1.9 MB')).toBeVisible();
  return requests;
}

test('a film shows its first picture', async () => {
  const requests = await showFilm(true);
  await expect.poll(() => document.querySelectorAll('img').length).toBe(2);
  expect(requests).toHaveLength(1);
});

test('a film without a preview is not asked for it', async () => {
  expect(await showFilm(false)).toHaveLength(0);
});

test.each([
  ['gif', 'GIF · 1.9 MB', 'Open GIF'],
  ['round', 'Video message · 1.9 MB', 'Open video message'],
] as const)('a video that is played as %s is named so', async (playAs, words, name) => {
  const film = sampleMessage({
    type: 'video',
    context: { ...plainContext, play_as: playAs },
    media: file,
  }) as MediaMessage;
  render(
    <MediaViewing messages={[film]} nameOf={() => 'Ada'}>
      <VideoTile message={film} />
    </MediaViewing>,
  );
  await expect.element(page.getByRole('button', { name })).toHaveTextContent(words);
});
