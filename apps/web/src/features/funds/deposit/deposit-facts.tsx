import type { DepositView } from '@fairlot/contract'
import { fromUnits, RATE_DECIMALS } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { sentText } from '../sent-amounts.ts'
import { useDeposit } from '../payment-queries.ts'

/** One deposit in full. */
export function DepositFacts({ id }: { id: number }) {
  const t = useTranslations('payments')
  const { moments } = useLocale()
  const moneyFacts = useMoneyFacts()
  const number = withNames(t('depositNumber', { number: asName(id) }))
  return (
    <div className="flex flex-col gap-3 pt-1 pb-6">
      <h2 className="text-title font-bold">{number}</h2>
      <Loaded query={useDeposit(id)}>
        {(deposit) => (
          <FactList
            facts={[
              ...moneyFacts(deposit),
              { label: t('depositNetwork'), value: asName(deposit.network) },
              { label: t('depositState'), value: t(`depositStatus.${deposit.status}`) },
              { label: t('depositRequestedAt'), value: moments.dateTime(deposit.createdAt) },
              {
                label: t('depositEndedAt'),
                value: deposit.endedAt !== null && moments.dateTime(deposit.endedAt),
              },
              { label: t('depositRemark'), value: deposit.remark },
            ].filter(({ value }) => value !== '' && value !== false)}
          />
        )}
      </Loaded>
    </div>
  )
}

/** The amount sent, its currency, the rate and the credit; before the decision, the estimate. */
function useMoneyFacts() {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const of = (text: string, currency: string) => (
    <bdi dir="ltr" translate="no">
      {text} {currency}
    </bdi>
  )
  return (deposit: DepositView) => {
    const { amount, arrived, currency, accountCurrency, credited, estimate, endedAt } = deposit
    const rate = deposit.rate ?? (endedAt === null ? deposit.estimatedRate : null)
    const isOpen = deposit.rate === null
    return [
      { label: t('depositSent'), value: of(figures.paidOut(sentText(amount)), currency) },
      {
        label: t('depositArrived'),
        value: arrived !== null && arrived !== amount && of(figures.paidOut(sentText(arrived)), currency),
      },
      {
        label: t(isOpen ? 'depositRateNow' : 'depositRate'),
        value: rate !== null && currency !== accountCurrency && (
          <bdi dir="ltr" translate="no">
            1 {currency} = {figures.decimal(fromUnits(rate, RATE_DECIMALS))} {accountCurrency}
          </bdi>
        ),
      },
      {
        label: t('depositEstimate'),
        value:
          endedAt === null &&
          estimate !== null &&
          currency !== accountCurrency &&
          of(figures.money(estimate), accountCurrency),
      },
      {
        label: t('depositCredited'),
        value: credited !== null && of(figures.money(credited), accountCurrency),
      },
    ]
  }
}
