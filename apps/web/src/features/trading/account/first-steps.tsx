import type { User } from '@fairlot/contract'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { useTranslations } from 'use-intl'
import { useAccountFigures } from '../../../live/account/account.ts'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { useUser } from '../../../live/session/user.ts'
import { useHasTraded } from './has-traded.ts'

/** The user, if it is one with a real account in which there is nothing yet; null for others and while that is unknown. */
export function useNewUser(): User | null {
  const figures = useAccountFigures()
  const user = useUser()
  if (!figures || !user || user.isDemo) return null
  const { balance, equity, margin } = figures
  return balance === 0n && equity === 0n && margin === 0n ? user : null
}

/** The steps to the first order of a real account, and the screens they are done on. */
const PATHS = { verify: '/mine/auth', deposit: '/mine/charge', order: '/trade' } as const

type FirstStep = keyof typeof PATHS

const STEPS: readonly FirstStep[] = ['verify', 'deposit', 'order']

type StepState = 'open' | 'waiting' | 'done'
type Progress = Readonly<Record<FirstStep, StepState>>

/** How far a real account is; null for a demo account, once all is done, and while it is unknown. */
function useProgress(): Progress | null {
  const user = useUser()
  const figures = useAccountFigures()
  const hasTraded = useHasTraded()
  const isEmpty = useNewUser() !== null
  if (!user || user.isDemo || !figures || hasTraded === undefined) return null
  const { identityCheck } = user
  const progress: Progress = {
    verify: identityCheck === 'verified' ? 'done' : identityCheck === 'waiting' ? 'waiting' : 'open',
    deposit: !isEmpty || hasTraded ? 'done' : 'open',
    order: hasTraded ? 'done' : 'open',
  }
  return STEPS.every((step) => progress[step] === 'done') ? null : progress
}

/**
 * The next step and its path: the first that its user can do something about, since a deposit is possible while documents are being
 * checked. No path while deposits are not available because the broker has one operator.
 */
function useNextStep(progress: Progress): { next: FirstStep | undefined; path: string | null } {
  const isSingleOperator = useBasicInfo()?.isSingleOperator === true
  const next = STEPS.find((step) => progress[step] === 'open')
  const isBlocked = next === undefined || (next === 'deposit' && isSingleOperator)
  return { next, path: isBlocked ? null : PATHS[next] }
}

/** The next step of a new real account in one line. */
export function FirstStepLine() {
  const progress = useProgress()
  return progress && <Line progress={progress} />
}

function Line({ progress }: { progress: Progress }) {
  const t = useTranslations('account')
  const { next, path } = useNextStep(progress)
  return (
    <p className="flex items-center gap-4 whitespace-nowrap">
      <span className="text-note text-second">{t('firstSteps')}</span>
      {path && next && (
        <Link to={path} className={buttonClass('ink', 'small')}>
          {t(`firstStep.${next}`)}
        </Link>
      )}
    </p>
  )
}

/** The steps of a real account to its first order, until all are done: identity check, deposit, first order. */
export function FirstSteps() {
  const progress = useProgress()
  return progress && <StepList progress={progress} />
}

function StepList({ progress }: { progress: Progress }) {
  const t = useTranslations('account')
  const isSingleOperator = useBasicInfo()?.isSingleOperator === true
  const { next, path } = useNextStep(progress)
  return (
    <Card>
      <h2 className="text-title font-bold">{t('firstSteps')}</h2>
      <ol className="mt-2 flex flex-col gap-2.5">
        {STEPS.map((step, index) => {
          const state = progress[step]
          const isBlocked = step === 'deposit' && state === 'open' && isSingleOperator
          return (
            <li key={step} className="flex gap-3" aria-current={step === next ? 'step' : undefined}>
              <span
                aria-hidden
                className={classNames(
                  'flex size-6 shrink-0 items-center justify-center rounded-full text-note font-bold',
                  state === 'done' ? 'bg-brass-tint text-brass' : 'bg-page text-second',
                )}
              >
                {state === 'done' ? '✓' : index + 1}
              </span>
              <span className="min-w-0">
                <span className={classNames('block', step === next && 'font-bold')}>
                  {t(`firstStep.${step}`)}
                </span>
                <span className="block text-note text-second">
                  {isBlocked
                    ? t('oneOperator')
                    : t(
                        state === 'open'
                          ? `firstStepText.${step}`
                          : state === 'done'
                            ? 'firstStepDone'
                            : 'firstStepWaiting',
                      )}
                </span>
              </span>
            </li>
          )
        })}
      </ol>
      {path && next && (
        <div className="mt-4">
          <Link to={path} className={buttonClass('ink', undefined, true)}>
            {t(`firstStep.${next}`)}
          </Link>
        </div>
      )}
    </Card>
  )
}
