import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { showToast } from './toasts.tsx';

/** Copies a text and shows that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      showToast({ tone: 'ok', text: 'Copied.' });
      setTimeout(() => setCopied(false), 1500);
    } catch {
      showToast({ tone: 'bad', text: 'This browser does not let us copy. Select the text instead.' });
    }
  };
  return (
    <IconButton label={label} onClick={() => void copy()}>
      {copied ? <Check /> : <Copy />}
    </IconButton>
  );
}
