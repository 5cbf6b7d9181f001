import { classNames } from '../theme/class-names.ts'

/** A grey placeholder while something loads. Give it the final size through `shape`. */
export const Skeleton = ({ shape }: { shape: string }) => (
  <span
    aria-hidden
    className={classNames('block animate-[shimmer_1.4s_ease-in-out_infinite] rounded-field bg-line', shape)}
  />
)
