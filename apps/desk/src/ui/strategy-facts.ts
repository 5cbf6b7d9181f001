import type { DeskStrategy } from '@fairlot/contract/desk'
import type { StrategyEndReason } from '@fairlot/core'
import type { Fact } from '@fairlot/ui/figures/fact-list.tsx'
import { money, sharePercent } from '../i18n/figures.ts'
import { moment } from '../i18n/moments.ts'

const END_LABELS: Readonly<Record<StrategyEndReason, string>> = {
  withdrawn: 'its owner ended it',
  accountClosed: 'the account was closed',
  demoReset: 'demo reset',
  providerFrozen: 'the account stayed frozen',
  copyingOff: 'copying was switched off',
}

/** How a strategy ended, by the server's names. */
const endText = (endedAs: string | null): string =>
  endedAs === null ? '' : ` · ${END_LABELS[endedAs as StrategyEndReason] ?? endedAs}`

/** The facts about a strategy that operators see; its copiers are counted, not named. */
export const strategyFacts = (strategy: DeskStrategy, now: number): readonly Fact[] => [
  { label: 'Performance fee', value: sharePercent(strategy.feeShare) },
  { label: 'Copiers', value: strategy.copiers.toLocaleString('en') },
  { label: 'Copied money', value: money(strategy.copiedMoney) },
  { label: 'Published', value: moment(strategy.publishedAt, now) },
  ...(strategy.endedAt === null
    ? []
    : [{ label: 'Ended', value: `${moment(strategy.endedAt, now)}${endText(strategy.endedAs)}` }]),
]
