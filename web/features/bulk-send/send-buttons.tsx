import { Send } from 'lucide-react';
import { Button } from '#web/shared/ui/button.tsx';

export type SendButtonsProps = {
  canSend: boolean;
  isSending: boolean;
  isTesting: boolean;
  /** Why nothing can be sent now, though all is there: a sentence. */
  obstacle: string | undefined;
  onTest: () => void;
  onSend: () => void;
};

export function SendButtons({ canSend, isSending, isTesting, obstacle, onTest, onSend }: SendButtonsProps) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 max-sm:w-full max-sm:[&>button]:flex-1">
      {obstacle !== undefined && (
        <p role="status" className="text-13 text-muted max-sm:basis-full">
          {obstacle}
        </p>
      )}
      <Button
        size="small"
        disabled={!canSend}
        busy={isTesting && 'Testing...'}
        title="Send to the first selected row"
        onClick={onTest}
      >
        Test first
      </Button>
      <Button
        variant="primary"
        size="small"
        icon={<Send aria-hidden="true" className="size-3.5" />}
        disabled={!canSend || isTesting}
        busy={isSending && 'Sending...'}
        onClick={onSend}
      >
        Send
      </Button>
    </div>
  );
}
