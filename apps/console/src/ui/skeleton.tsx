import { classNames } from './class-names.ts';

/** A grey bar where a text will be. */
export function Bone({ className }: { className?: string }) {
  return <span className={classNames('breathing block h-3.5 rounded-sm bg-sunken', className)} />;
}

/** Grey lines where rows will be. */
export function BoneRows({ rows = 4 }: { rows?: number }) {
  return (
    <div className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex items-center gap-6 px-5 py-4">
          <Bone className="w-2/5" />
          <Bone className="ml-auto w-1/6" />
        </div>
      ))}
    </div>
  );
}
