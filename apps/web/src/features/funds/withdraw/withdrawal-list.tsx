import type { WithdrawalView } from '@fairlot/contract'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useWithdrawals, type Way } from '../payment-queries.ts'
import { MoreButton } from '../../../ui/more-button.tsx'

/** Earlier withdrawals of a kind; each leads to its steps. */
export function WithdrawalList({ kind }: { kind: Way }) {
  const t = useTranslations('payments')
  const query = useWithdrawals(kind)
  return (
    <>
      <h2 className="mt-2 text-note text-second">{t('withdrawals')}</h2>
      <Loaded query={{ ...query, data: query.withdrawals }}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-note text-second">{t('noWithdrawal')}</p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map((withdrawal) => (
                <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton pages={query} />
    </>
  )
}

function WithdrawalRow({ withdrawal }: { withdrawal: WithdrawalView }) {
  const t = useTranslations('payments')
  const { figures, moments } = useLocale()
  const { id, amount, statusName, createdAt } = withdrawal
  return (
    <li>
      <Link
        to={`/mine/withdraw?id=${id}`}
        className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5"
      >
        <span className="min-w-0 flex-[1_1_8rem]">
          <span className="block">{t('withdrawalNumber', { number: String(id) })}</span>
          <span className="block text-note text-second">{moments.dateTime(createdAt)}</span>
        </span>
        <span className="ms-auto flex flex-col items-end">
          <bdi dir="ltr" className="font-bold">
            {figures.money(amount)}
          </bdi>
          <span className="text-note text-second">{statusName}</span>
        </span>
      </Link>
    </li>
  )
}
