import { EllipsisVertical } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useMediaQuery } from '../use-media-query.ts';
import { useNow } from '../use-now.ts';
import { PhoneText } from './phone-text.tsx';
import { Skeleton } from './skeleton.tsx';
import { Spinner } from './spinner.tsx';

type QrPanelProps = {
  /** The code, an image data URL, and when the next one replaces it; undefined until it arrives. */
  qr: { image: string; expiresAt: string } | undefined;
  /** Digits of the phone to link, when they are known. */
  phoneNumber?: string | undefined;
  /** Under the steps: the way without a camera. */
  alternative?: ReactNode;
};

/**
 * Instructions for the handset at the left, the code and its time at the right. On a handset, which cannot scan itself,
 * the alternative is first.
 */
export function QrPanel({ qr, phoneNumber, alternative }: QrPanelProps) {
  const isHandset = useMediaQuery('(max-width: 639px) and (pointer: coarse)');
  return (
    <div className="grid items-center gap-8 sm:grid-cols-[minmax(0,1fr)_264px]">
      <div className={isHandset ? undefined : 'max-sm:order-last'}>
        {isHandset && alternative !== undefined && <div className="mb-5 text-13 text-muted">{alternative}</div>}
        <ol className="grid gap-4">
          <Step number={1}>
            {phoneNumber === undefined ? 'Open WhatsApp on the phone to connect.' : <TakePhone digits={phoneNumber} />}
          </Step>
          <Step number={2}>
            Tap <strong className="font-medium">Settings</strong> on an iPhone, or the{' '}
            <EllipsisVertical aria-label="three dots" role="img" className="inline size-3.5" /> menu on Android.
          </Step>
          <Step number={3}>
            Tap <strong className="font-medium">Linked devices</strong>, then{' '}
            <strong className="font-medium">Link a device</strong>.
          </Step>
          <Step number={4}>Point the camera at this code.</Step>
        </ol>
        {!isHandset && alternative !== undefined && <div className="mt-4 pl-9 text-13 text-muted">{alternative}</div>}
      </div>
      <div className="grid justify-items-center gap-3">
        {qr === undefined ? <WaitingForCode /> : <Code key={qr.image} {...qr} />}
      </div>
    </div>
  );
}

function Step({ number, children }: { number: number; children: ReactNode }) {
  return (
    <li className="flex gap-3 text-pretty">
      <span
        aria-hidden="true"
        className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-subtle text-12 font-semibold text-accent-ink"
      >
        {number}
      </span>
      <span className="pt-0.5">{children}</span>
    </li>
  );
}

function TakePhone({ digits }: { digits: string }) {
  return (
    <>
      Take the phone with{' '}
      <strong className="font-medium">
        <PhoneText digits={digits} />
      </strong>{' '}
      and open WhatsApp.
    </>
  );
}

function WaitingForCode() {
  return (
    <>
      <Skeleton className="size-66 max-w-full rounded-large" />
      <p role="status" className="flex items-center gap-2 text-13 text-muted">
        <Spinner className="text-accent-ink" />
        Waiting for QR code...
      </p>
    </>
  );
}

function Code({ image, expiresAt }: { image: string; expiresAt: string }) {
  const [shownAt] = useState(() => Date.now());
  const now = useNow(1000);
  const leftMs = Math.max(0, Date.parse(expiresAt) - now);
  const share = leftMs / Math.max(1, Date.parse(expiresAt) - shownAt);
  return (
    <>
      <img
        src={image}
        alt="QR code to link a phone"
        width={264}
        height={264}
        className="size-66 max-w-full rounded-large border bg-white p-4 [image-rendering:pixelated]"
      />
      <p className="flex items-center gap-2 text-13 text-muted tabular-nums">
        <CountdownRing share={share} />
        {leftMs > 0 ? `New code in ${Math.ceil(leftMs / 1000)} s` : 'Fetching a new code…'}
      </p>
    </>
  );
}

function CountdownRing({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5 -rotate-90 fill-none stroke-[2.5]">
      <circle cx="10" cy="10" r="8" className="stroke-gray-wash" />
      <circle
        cx="10"
        cy="10"
        r="8"
        pathLength="100"
        strokeDasharray={`${Math.min(1, share) * 100} 100`}
        strokeLinecap="round"
        className="stroke-accent-ink"
      />
    </svg>
  );
}
