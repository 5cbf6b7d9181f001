import type { DepositView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useDeposits, type Way } from '../payment-queries.ts'
import { MoreButton } from '../../../ui/more-button.tsx'

/** Earlier deposits of a way, and what came of them. */
export function DepositList({ kind }: { kind: Way }) {
  const t = useTranslations('payments')
  const query = useDeposits(kind)
  return (
    <>
      <h2 className="mt-2 text-note text-second">{t('deposits')}</h2>
      <Loaded query={{ ...query, data: query.deposits }}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-note text-second">{t('noDeposit')}</p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map((deposit) => (
                <DepositRow key={deposit.id} deposit={deposit} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton pages={query} />
    </>
  )
}

const TONES = { unchecked: 'text-second', finished: 'text-up', rejected: 'text-down', invalid: 'text-down' }

/** One deposit: its number, what was told, what was credited, and why where it was not. */
function DepositRow({ deposit }: { deposit: DepositView }) {
  const t = useTranslations('payments')
  const { figures, moments } = useLocale()
  const { id, amount, currency, status, remark, credited, createdAt } = deposit
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-[1_1_8rem]">
        <span className="block">{t('depositNumber', { number: String(id) })}</span>
        <span className="block text-note text-second">{moments.dateTime(createdAt)}</span>
        {remark !== '' && status !== 'finished' && (
          <span className="block text-note break-words text-second">{t('reason', { reason: remark })}</span>
        )}
      </span>
      <span className="ms-auto flex flex-col items-end">
        <bdi dir="ltr" className="font-bold">
          {figures.money(amount)} {currency}
        </bdi>
        <span className={`text-note ${TONES[status]}`}>
          {credited === null
            ? t(`depositStatus.${status}`)
            : t('credited', { amount: figures.money(credited) })}
        </span>
      </span>
    </li>
  )
}
