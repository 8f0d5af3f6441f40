import { ShownOnce } from '../ui/shown-once.tsx';
import type { NewApiKey } from './state.tsx';

/** The text of a new key, this once. */
export function NewKeyText({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  return (
    <ShownOnce
      title="Copy your key now"
      what="key"
      secret={made.apiKey}
      about={`This is the only time that “${made.name}” is shown. We keep a fingerprint of it, not the key: if it is lost, make a new one.`}
      use={
        <>
          Your gateway reads it from the variable <code className="font-mono">COMPLIANCE_API_KEY</code>. Keep
          it out of source code and chats.
        </>
      }
      onClose={onClose}
    />
  );
}
