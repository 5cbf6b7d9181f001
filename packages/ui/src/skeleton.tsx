import { classNames } from './class-names.ts'

/** A grey bar in the place of what is coming. Give it the size of the real thing through `shape`. */
export const Skeleton = ({ shape }: { shape: string }) => (
  <span
    aria-hidden
    className={classNames('block animate-[shimmer_1.4s_ease-in-out_infinite] rounded-field bg-line', shape)}
  />
)
