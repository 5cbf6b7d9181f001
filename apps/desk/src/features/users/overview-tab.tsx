import type { UserProfile } from '@fairlot/contract/desk'
import { type Fact, FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { Link } from 'react-router'
import { decimal, gainTone, money, signedMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { countryName, languageName } from './user-labels.ts'
import type { TabProps } from './user-props.ts'

/** A percentage with at most two decimals. */
const percent = (value: number | string): string => `${decimal(Math.round(Number(value) * 100) / 100)} %`

/** A user's details, and the figures of the account at current prices. */
export function OverviewTab({ profile }: TabProps) {
  const now = useNow()
  const { figures, status, statusReason, freezeLapsesAt } = profile
  const tone = gainTone(figures.profit)
  return (
    <>
      <FigureRow>
        <FigureCard label="Equity" value={money(figures.equity)}>
          balance {money(figures.balance)}
        </FigureCard>
        <FigureCard label="Open profit" value={signedMoney(figures.profit)} {...(tone && { tone })}>
          {figures.openOrders} {figures.openOrders === 1 ? 'active order' : 'active orders'}
        </FigureCard>
        <FigureCard label="Free margin" value={money(figures.free)}>
          margin {money(figures.margin)}
        </FigureCard>
        <FigureCard
          label="Margin level"
          value={figures.level === null ? 'no margin used' : percent(figures.level)}
        >
          reserved {money(figures.reserved)}
        </FigureCard>
      </FigureRow>
      {status !== 'active' && (
        <FigureCard label="Reason for the restriction, shown to the user" value={statusReason}>
          {freezeLapsesAt !== null &&
            `Set by one operator: it ends ${asName(moment(freezeLapsesAt, now))} unless a second operator confirms it under Waiting`}
        </FigureCard>
      )}
      <div className="grid items-start gap-x-8 gap-y-4 tablet:grid-cols-2">
        <FactList facts={contactFacts(profile, now)} />
        <FactList facts={accountFacts(profile)} />
      </div>
    </>
  )
}

const contactFacts = (profile: UserProfile, now: number): Fact[] => {
  const { user, area, language, registeredAt, invitedBy, hasSecondFactor, passkeys } = profile
  return [
    { label: 'Number', value: asName(user.uid) },
    { label: 'E-mail', value: user.email === null ? 'none' : asName(user.email) },
    { label: 'Phone', value: user.phone === null ? 'none' : asName(`+${user.areaCode ?? ''} ${user.phone}`) },
    { label: 'Country', value: area === null ? 'unknown' : countryName(area) },
    { label: 'Language of messages', value: language === null ? 'unknown' : languageName(language) },
    { label: 'Registered', value: moment(registeredAt, now) },
    {
      label: 'Invited by',
      value:
        invitedBy === null ? (
          'none'
        ) : (
          <Link to={`/people/${invitedBy.id}`} translate="no" className="underline underline-offset-4">
            {invitedBy.uid}
          </Link>
        ),
    },
    {
      label: 'Second factor',
      value: !hasSecondFactor
        ? 'off'
        : passkeys === 0
          ? 'on'
          : `on, ${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`,
      ...(hasSecondFactor && { tone: 'up' as const }),
    },
  ]
}

const accountFacts = ({ user, figures, deposits, withdrawals }: UserProfile): Fact[] => [
  { label: 'Ledger', value: user.isDemo ? 'demo' : 'real money' },
  { label: 'Balance', value: money(figures.balance) },
  { label: 'Held for withdrawals', value: money(figures.frozen) },
  { label: 'Total deposits', value: money(deposits) },
  { label: 'Total withdrawals', value: money(withdrawals) },
  { label: 'Credit score', value: user.creditScore },
  { label: 'Invitation code', value: user.inviteCode === null ? 'none' : asName(user.inviteCode) },
]
