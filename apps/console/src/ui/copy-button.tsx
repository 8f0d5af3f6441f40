import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { showToast } from './toasts.tsx';

/** Copies a text, says so, and knows for a moment that it did. `copy` gives whether it worked. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      showToast({ tone: 'bad', text: 'Your browser blocked copying. Select the text and copy it yourself.' });
      return false;
    }
    setCopied(true);
    showToast({ tone: 'ok', text: 'Copied.' });
    setTimeout(() => setCopied(false), 1500);
    return true;
  };
  return { copied, copy };
}

/** Copies a text and shows that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <IconButton label={label} onClick={() => void copy()}>
      {copied ? <Check /> : <Copy />}
    </IconButton>
  );
}
