import { type Fact, FactList } from '@fairlot/ui/fact-list.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import type { PersonProfile } from '@fairlot/contract/desk'
import { Link } from 'react-router'
import { decimal, money, signedMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../ui/use-now.ts'
import type { TabProps } from './person-props.ts'
import { countryName, languageName } from './person-words.ts'

const toneOf = (amount: bigint) => (amount > 0n ? 'up' : amount < 0n ? 'down' : undefined)

/** A percentage with two decimals at most. */
const percent = (value: number | string): string => `${decimal(Math.round(Number(value) * 100) / 100)} %`

/** Who somebody is, and what the account is worth at the prices of now. */
export function OverviewTab({ person }: TabProps) {
  const now = useNow()
  const { figures, status, statusReason } = person
  const tone = toneOf(figures.profit)
  return (
    <>
      <FigureRow>
        <FigureCard label="Equity" value={money(figures.equity)}>
          balance {money(figures.balance)}
        </FigureCard>
        <FigureCard label="Open profit" value={signedMoney(figures.profit)} {...(tone && { tone })}>
          {figures.openOrders} {figures.openOrders === 1 ? 'order lives' : 'orders live'}
        </FigureCard>
        <FigureCard label="Free" value={money(figures.free)}>
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
        <FigureCard label="Why it is restricted, as the person reads it" value={statusReason} />
      )}
      <div className="grid items-start gap-x-8 gap-y-4 tablet:grid-cols-2">
        <FactList facts={whoFacts(person, now)} />
        <FactList facts={accountFacts(person)} />
      </div>
    </>
  )
}

const whoFacts = (person: PersonProfile, now: number): Fact[] => {
  const { user, area, language, registeredAt, invitedBy, hasSecondFactor } = person
  return [
    { label: 'Number · id', value: `${user.uid} · ${user.id}` },
    { label: 'E-mail', value: user.email ?? 'none' },
    { label: 'Phone', value: user.phone === null ? 'none' : `+${user.areaCode ?? ''} ${user.phone}` },
    { label: 'Country', value: area === null ? 'not known' : countryName(area) },
    { label: 'Language of messages', value: language === null ? 'not known' : languageName(language) },
    { label: 'Registered', value: moment(registeredAt, now) },
    {
      label: 'Invited by',
      value:
        invitedBy === null ? (
          'nobody'
        ) : (
          <Link to={`/people/${invitedBy.id}`} className="underline underline-offset-4">
            {invitedBy.uid}
          </Link>
        ),
    },
    {
      label: 'Second factor',
      value: hasSecondFactor ? 'on' : 'off',
      ...(hasSecondFactor && { tone: 'up' as const }),
    },
  ]
}

const accountFacts = ({ user, figures, deposits, withdrawals }: PersonProfile): Fact[] => [
  { label: 'Ledger', value: user.isDemo ? 'demo' : 'real money' },
  { label: 'Balance', value: money(figures.balance) },
  { label: 'Frozen by withdrawals', value: money(figures.frozen) },
  { label: 'Deposits so far', value: money(deposits) },
  { label: 'Withdrawals so far', value: money(withdrawals) },
  { label: 'Credit score', value: user.creditScore },
  { label: 'Invitation code', value: user.inviteCode ?? 'none' },
]
