import type { WithdrawalView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { classNames } from '@fairlot/ui/class-names.ts'
import { useLocale } from '../../../i18n/locale-provider.tsx'

type Step = { title: string; note: string; state: 'done' | 'now' | 'next' }

const DOTS = {
  done: 'border-brass bg-brass',
  now: 'border-ink bg-surface',
  next: 'border-line bg-surface',
}

/** What has happened, who has it now, and what is still to come. */
export function RoadSteps({ withdrawal }: { withdrawal: WithdrawalView }) {
  const t = useTranslations('payments')
  const steps = useSteps(withdrawal)
  return (
    <ol aria-label={t('steps')} className="flex flex-col">
      {steps.map(({ title, note, state }) => (
        <li
          key={title}
          aria-current={state === 'now' ? 'step' : undefined}
          className="group relative flex gap-3 pb-5 last:pb-0"
        >
          <span className="absolute inset-y-3 start-1.5 w-px -translate-x-1/2 bg-line group-last:hidden rtl:translate-x-1/2" />
          <span className={classNames('relative mt-1 size-3 shrink-0 rounded-full border-2', DOTS[state])} />
          <span className="min-w-0">
            <span className={classNames('block font-bold', state === 'next' && 'text-second')}>{title}</span>
            <span className="block text-note break-words text-second">{note}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

function useSteps({ steps, status, holder, reference }: WithdrawalView): Step[] {
  const t = useTranslations('payments')
  const { moments } = useLocale()
  const done = steps.map(({ kind, at, role, reason }): Step => {
    const facts = [moments.dateTime(at), kind === 'asked' || kind === 'cancelled' ? '' : role]
    const more = kind === 'paid' ? reference : reason
    return {
      title: t(`step.${kind}`),
      note: [...facts, more].filter((part) => part !== '').join(' · '),
      state: 'done',
    }
  })
  const paid: Step = { title: t('next.paid'), note: '', state: 'next' }
  if (status === 'waiting')
    return [...done, { title: t('next.approve', { holder }), note: '', state: 'now' }, paid]
  return status === 'approved'
    ? [...done, { title: t('next.pay', { holder }), note: '', state: 'now' }]
    : done
}
