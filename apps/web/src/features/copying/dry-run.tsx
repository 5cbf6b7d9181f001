import type { DryRun } from '@fairlot/contract'
import type { Money } from '@fairlot/core'
import { LOTS_DECIMALS } from '@fairlot/core/number'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import type { FigureFormat } from '../../i18n/number-format.ts'
import { PublicAmount, PublicResult, Rate, rateText } from './figures.tsx'

type Result = DryRun['orders'][number]['result']

const RESULTS: readonly Result[] = ['copied', 'rounded', 'skipped']

/** Not those of rise and fall, which some languages swap; the words beside it say the same. */
const TONES = { copied: 'bg-ink', rounded: 'bg-brass', skipped: 'bg-line' } as const

/** Lots with two decimals, with four only where needed. */
export const lotsText = (figures: FigureFormat, lots: number): string =>
  figures.figure(lots, LOTS_DECIMALS, { shown: lots % 100 === 0 ? 2 : LOTS_DECIMALS })

type DryRunReportProps = { dryRun: DryRun; amount: Money; name: string }

/** What a copy with these terms would have done over the last three months. Nobody's future is in it. */
export function DryRunReport({ dryRun, amount, name }: DryRunReportProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const { orders, amountForAll } = dryRun
  // The list has closed orders only; open ones count too.
  if (dryRun.copied + dryRun.rounded + dryRun.skipped === 0)
    return (
      <section className="rounded-card border-s-4 border-brass bg-surface p-4">
        <h2 className="mb-1 font-bold">
          {withNames(t('dryRun', { amount: asName(figures.publicMoney(amount)) }))}
        </h2>
        <p className="text-note text-second">{t('dryRunNothing')}</p>
      </section>
    )
  return (
    <div className="flex flex-col gap-3">
      <section className="flex flex-col gap-3 rounded-card border-s-4 border-brass bg-surface p-4">
        <h2 className="font-bold">
          {withNames(t('dryRun', { amount: asName(figures.publicMoney(amount)) }))}
        </h2>
        <div aria-hidden className="flex flex-wrap gap-1">
          {orders.map(({ orderId, result }) => (
            <span key={orderId} className={classNames('h-4 w-2.5 rounded-[3px]', TONES[result])} />
          ))}
        </div>
        <ul className="flex flex-col gap-1 text-note">
          {RESULTS.map((result) => (
            <li key={result} className="flex items-center gap-2.5">
              <span aria-hidden className={classNames('size-2.5 rounded-[3px]', TONES[result])} />
              <span className="flex-1 text-second">{t(`dryRunResult.${result}`)}</span>
              <Name className="font-bold">{figures.count(dryRun[result])}</Name>
            </li>
          ))}
        </ul>
        {amountForAll === null ? (
          <p className="text-note text-second">{t('noAmountForAll')}</p>
        ) : (
          dryRun.skipped > 0 && (
            <p className="text-note text-second">
              {withNames(t('amountForAll', { amount: asName(figures.publicMoney(amountForAll)) }))}
            </p>
          )
        )}
        {dryRun.isShort && <p className="text-note font-medium text-danger">{t('dryRunShort')}</p>}
        <DryRunOrders dryRun={dryRun} name={name} />
      </section>
      <section className="rounded-card bg-surface p-4">
        <FactList
          facts={[
            { label: t('dryRunYou'), value: <Beside units={dryRun.result} rate={dryRun.rate} /> },
            {
              label: t('dryRunProvider', { name: asName(name) }),
              value: <Rate rate={dryRun.providerRate} />,
            },
            { label: t('worstStretch'), value: <PublicResult units={dryRun.worst} /> },
            { label: t('dryRunFee'), value: <PublicAmount units={dryRun.fee} /> },
            { label: t('stopsAt'), value: <PublicAmount units={dryRun.stopEquity} /> },
            { label: t('loseAtMost'), value: <PublicAmount units={amount} /> },
          ]}
        />
        {dryRun.wouldStop && (
          <p className="mt-3 rounded-field bg-danger-tint px-3 py-2 text-note">{t('wouldStop')}</p>
        )}
        <p className="mt-3 text-note text-second">{t('dryRunPast')}</p>
      </section>
    </div>
  )
}

function Beside({ units, rate }: { units: Money; rate: DryRun['rate'] }) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-2">
      <PublicResult units={units} />
      <Rate rate={rate} />
    </span>
  )
}

/** Each order of the dry run with what would have become of it. */
function DryRunOrders({ dryRun: { orders }, name }: { dryRun: DryRun; name: string }) {
  const t = useTranslations('copying')
  const { figures, moments } = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  if (orders.length === 0) return null
  return (
    <div>
      <TextButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {t(isOpen ? 'hideOrders' : 'showOrders', { count: orders.length })}
      </TextButton>
      {isOpen && (
        <ul className="divide-y divide-dashed divide-line">
          {orders.map((order) => (
            <li key={order.orderId} className="flex gap-3 py-2">
              <span aria-hidden className={classNames('w-1 shrink-0 rounded-full', TONES[order.result])} />
              <span className="min-w-0 flex-1 text-note">
                <span className="flex flex-wrap justify-between gap-x-3">
                  <span>
                    <bdi translate="no" className="font-bold">
                      {order.code}
                    </bdi>{' '}
                    {order.result === 'skipped'
                      ? t('action.skipped')
                      : withNames(
                          t('lotsOf', {
                            own: asName(lotsText(figures, order.lots)),
                            other: asName(lotsText(figures, order.providerLots)),
                          }),
                        )}
                  </span>
                  {order.result !== 'skipped' && <PublicResult units={order.profit} />}
                </span>
                <span className="block text-tiny text-second">
                  <Name>{moments.dateTime(order.openedAt)}</Name>
                  {order.reason !== null && ` · ${t(`reason.${order.reason}`)}`}
                  {' · '}
                  {withNames(
                    t('providerGot', {
                      name: asName(name),
                      profit: asName(figures.publicMoney(order.providerProfit, { sign: 'always' })),
                    }),
                  )}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Results are shares of the margin, and margins shares of the equity. */
const isInProfit = (orders: DryRun['openOrders']): boolean =>
  orders.reduce((sum, { share, result }) => sum + share * result, 0) > 0

type OpenOrdersProps = {
  dryRun: DryRun | null
  name: string
  isChosen: boolean
  onChange: (isChosen: boolean) => void
}

/** Whether the open positions are copied too, each with its size and result. Their levels stay private. */
export function OpenOrders({ dryRun, name, isChosen, onChange }: OpenOrdersProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const orders = dryRun?.openOrders ?? []
  if (orders.length === 0) return null
  return (
    <div className="flex flex-col gap-1">
      <Checkbox isChecked={isChosen} onChange={onChange}>
        {withNames(t('alsoOpen', { name: asName(name), count: orders.length }))}
      </Checkbox>
      {isChosen && (
        <>
          <p className="text-note text-second">{t('alsoOpenText')}</p>
          {isInProfit(orders) && <p className="text-note font-medium text-danger">{t('alsoOpenInProfit')}</p>}
          <ul className="divide-y divide-dashed divide-line text-note">
            {orders.map((order, index) => (
              // Two positions may be equal in everything that is shown; the list never reorders.
              <li key={index} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
                <span>
                  <bdi translate="no" className="font-bold">
                    {order.code}
                  </bdi>{' '}
                  {t('side', { side: order.side })}
                </span>
                <span className="text-second">
                  {withNames(t('ofEquity', { share: asName(rateText(figures, order.share, { shown: 0 })) }))}
                </span>
                <span className="ms-auto">
                  <Rate rate={order.result} shown={0} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
