import { type ComponentType, useSyncExternalStore } from 'react';
import { CloudOff } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { Page as Headed } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';

/** After so many ms it is asked for once more; then by whoever waits. */
const pauses = [500, 1500, 4000];

type State =
  | { readonly kind: 'unasked' | 'loading' | 'lost' }
  | { readonly kind: 'here'; readonly Page: ComponentType };

/**
 * A page that is loaded when it is first gone to. One that does not come is asked for again and then says so: nothing is
 * reloaded by itself, because that would end the log-ins that are in memory only.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
) {
  let state: State = { kind: 'unasked' };
  let loading: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const put = (next: State) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const preload = (): Promise<void> => {
    if (state.kind === 'here') return Promise.resolve();
    loading ??= persistently(() => fetched(name).then(load))
      .then((module) => put(module === null ? { kind: 'lost' } : { kind: 'here', Page: module[name] }))
      .finally(() => {
        loading = null;
      });
    return loading;
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    // What was lost on the way to a preview is asked for anew by whoever comes.
    if (state.kind === 'lost') put({ kind: 'loading' });
    void preload();
    return () => listeners.delete(listener);
  };
  function LazyPage() {
    const now = useSyncExternalStore(subscribe, () => state);
    if (now.kind === 'here') return <now.Page />;
    if (now.kind !== 'lost') return <Waiting />;
    const again = () => {
      put({ kind: 'loading' });
      void preload();
    };
    return <NotLoaded again={again} />;
  }
  return Object.assign(LazyPage, { preload });
}

/** Null when it did not come, however often it was asked for. */
async function persistently<T>(load: () => Promise<T>): Promise<T | null> {
  for (const pause of [...pauses, null]) {
    try {
      return await load();
    } catch {
      if (pause !== null) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return null;
}

/**
 * Has a page's scripts in the browser's cache before they are imported: browsers remember an import that failed, also of
 * what the script itself imports, and never ask for it again.
 */
async function fetched(name: string): Promise<void> {
  await Promise.all(
    (filesOf[name] ?? []).map(async (path) => {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await answer.arrayBuffer();
    }),
  );
}

/** The scripts of each page, as the build wrote them into the document; none while Vite serves the sources. */
const filesOf: Readonly<Record<string, readonly string[]>> = JSON.parse(
  decodeURIComponent(
    document.querySelector<HTMLMetaElement>('meta[name="page-files"]')?.content ?? encodeURIComponent('{}'),
  ),
);

function Waiting() {
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        Loading
      </span>
      <BoneRows rows={4} />
    </div>
  );
}

function NotLoaded({ again }: { again: () => void }) {
  const buttons = (
    <div className="flex gap-2">
      <Button kind="primary" onClick={again}>
        Try again
      </Button>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </div>
  );
  return (
    <Headed title="Page not loaded">
      <div className="card" role="alert">
        <Message icon={CloudOff} title="This page could not be loaded" action={buttons}>
          You are still signed in. Check your connection and try again. If the dashboard has been updated,
          reload the page; this signs you out of the vault and forgets your approver key.
        </Message>
      </div>
    </Headed>
  );
}
