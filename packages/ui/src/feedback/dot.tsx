import { classNames } from '../theme/class-names.ts'

export type DotTone = 'danger' | 'brass' | 'up' | 'plain'

const tones: Record<DotTone, string> = {
  danger: 'bg-danger',
  brass: 'bg-brass',
  up: 'bg-up',
  plain: 'bg-line',
}

/** A coloured dot before a row; the row says the same in words. */
export const Dot = ({ tone = 'plain' }: { tone?: DotTone }) => (
  <span aria-hidden className={classNames('inline-block size-2 shrink-0 rounded-full', tones[tone])} />
)
