import { useState, type DragEvent } from 'react';

/** Takes a file that is dropped on an element: spread the handlers on it; `isOver` while one hovers. */
export function useFileDrop(onFile: (file: File, count: number) => void, isOff = false) {
  const [isOver, setOver] = useState(false);
  return {
    isOver: isOver && !isOff,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        const isWithin = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
        if (!isWithin) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file !== undefined && !isOff) onFile(file, event.dataTransfer.files.length);
      },
    },
  };
}

export type FileDrop = ReturnType<typeof useFileDrop>;

/** A text that is dragged belongs to the field that it is dropped on. */
const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
