import { classNames } from './class-names.ts'

export type DotTone = 'danger' | 'brass' | 'up' | 'plain'

const tones: Record<DotTone, string> = {
  danger: 'bg-danger',
  brass: 'bg-brass',
  up: 'bg-up',
  plain: 'bg-line',
}

/** A mark before a row that says in colour what the row says in words as well. */
export const Dot = ({ tone = 'plain' }: { tone?: DotTone }) => (
  <span aria-hidden className={classNames('inline-block size-2 shrink-0 rounded-full', tones[tone])} />
)
