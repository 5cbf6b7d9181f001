import type { CopyView } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { Copy, Megaphone } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { PullToRefresh } from '@fairlot/ui/layout/pull-to-refresh.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'
import { useScrollBox } from '@fairlot/ui/navigation/scroll-box.tsx'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import {
  Cell,
  Cells,
  CopyBadge,
  copyPath,
  Initial,
  KindBadge,
  OwnAmount,
  OwnResult,
  Rate,
} from './figures.tsx'
import { useCopies } from './queries.ts'

/** The user's copies with their figures at the prices of now. */
export function CopiesScreen() {
  const t = useTranslations('copying')
  const isLoggedIn = useIsLoggedIn()
  const { data: copies, error, refetch } = useCopies()
  return (
    <>
      <PullToRefresh box={useScrollBox()} label={t('refreshing')} onRefresh={() => void refetch()} />
      <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6 desktop:max-w-6xl">
        {!isLoggedIn ? (
          <VisitorState />
        ) : copies ? (
          <Copies copies={copies} />
        ) : error ? (
          <FailedState
            title={t('copiesFailed')}
            text={t('copiesFailedText')}
            error={error}
            onRetry={refetch}
          />
        ) : (
          <CopiesLoading />
        )}
        {isLoggedIn && (
          <Card>
            <div className="-my-3">
              <ListLink
                icon={Megaphone}
                to="/mine/strategy"
                title={t('ownStrategy')}
                note={t('ownStrategyNote')}
              />
            </div>
          </Card>
        )}
      </div>
    </>
  )
}

function VisitorState() {
  const t = useTranslations('copying')
  return (
    <EmptyState
      icon={Copy}
      title={t('visitorTitle')}
      text={t('visitorText')}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link to="/rank" className={buttonClass()}>
            {t('toRanking')}
          </Link>
          <Link to={`/login?from=${encodeURIComponent('/rank?tab=copy')}`} className={buttonClass('outline')}>
            {t('logIn')}
          </Link>
        </div>
      }
    />
  )
}

function Copies({ copies }: { copies: readonly CopyView[] }) {
  const t = useTranslations('copying')
  if (copies.length === 0)
    return (
      <EmptyState
        icon={Copy}
        title={t('noCopies')}
        text={t('noCopiesText')}
        action={
          <Link to="/rank" className={buttonClass()}>
            {t('toRanking')}
          </Link>
        }
      />
    )
  const running = copies.filter(({ state }) => state !== 'ended')
  const ended = copies.filter(({ state }) => state === 'ended')
  return (
    <>
      {running.length > 0 && <Together copies={running} />}
      <Rows label={t('running')} copies={running} />
      {ended.length > 0 && (
        <section className="flex flex-col gap-1">
          <h2 className="pt-2 font-bold">{t('endedCopies')}</h2>
          <Rows label={t('endedCopies')} copies={ended} />
        </section>
      )}
    </>
  )
}

/** Equity of all running copies, which is not part of the account's own. */
export const equityOf = (copies: readonly CopyView[]) =>
  money(copies.reduce((sum, { state, equity }) => (state === 'ended' ? sum : sum + equity), 0n))

function Together({ copies }: { copies: readonly CopyView[] }) {
  const t = useTranslations('copying')
  const sum = (of: (copy: CopyView) => bigint) => money(copies.reduce((total, copy) => total + of(copy), 0n))
  return (
    <Card>
      <p className="text-tiny text-second">{t('equityInCopies')}</p>
      <p className="mb-3 text-price font-bold">
        <OwnAmount units={equityOf(copies)} />
      </p>
      <Cells isFour>
        <Cell name={t('putIn')}>
          <OwnAmount units={sum(({ putIn }) => putIn)} />
        </Cell>
        <Cell name={t('takenOut')}>
          <OwnAmount units={sum(({ takenOut }) => takenOut)} />
        </Cell>
        <Cell name={t('result')}>
          <OwnResult units={sum(({ result }) => result)} hasArrow />
        </Cell>
        <Cell name={t('feePaid')}>
          <OwnAmount units={sum(({ feePaid }) => feePaid)} />
        </Cell>
      </Cells>
    </Card>
  )
}

const Rows = ({ label, copies }: { label: string; copies: readonly CopyView[] }) => (
  <ul aria-label={label} className="divide-y divide-line">
    {copies.map((copy) => (
      <li key={copy.id}>
        <CopyRow copy={copy} />
      </li>
    ))}
  </ul>
)

function CopyRow({ copy }: { copy: CopyView }) {
  const t = useTranslations('copying')
  return (
    <Link
      to={copyPath(copy.id)}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-field py-3 active:bg-raised desktop:flex-nowrap"
    >
      <span className="flex min-w-36 flex-1 items-center gap-3 desktop:w-64 desktop:flex-none">
        <Initial name={copy.name} />
        <span className="min-w-0 flex-1">
          <bdi translate="no" className="block font-bold wrap-anywhere">
            {copy.name}
          </bdi>
          <span className="flex flex-wrap items-center gap-x-2 text-tiny text-second">
            <CopyBadge copy={copy} />
            <KindBadge kind={copy.strategyKind} />
            {copy.state !== 'ended' && t('positionCount', { count: copy.positions })}
          </span>
        </span>
      </span>
      <span className="ms-auto flex flex-col items-end desktop:order-last desktop:min-w-28">
        <span className="text-title">
          <OwnResult units={copy.result} hasArrow />
        </span>
        <span className="text-note">
          <Rate rate={copy.rate} />
        </span>
      </span>
      <dl className="grid basis-full grid-cols-[repeat(auto-fit,minmax(min(100%,5.75rem),1fr))] gap-x-3 gap-y-1 text-note desktop:flex-1 desktop:basis-0">
        <Cell name={t('putIn')}>
          <OwnAmount units={copy.putIn} />
        </Cell>
        <Cell name={t(copy.state === 'ended' ? 'returned' : 'worthNow')}>
          <OwnAmount units={copy.state === 'ended' ? copy.takenOut : copy.equity} />
        </Cell>
        <Cell name={t('feePaid')}>
          <OwnAmount units={copy.feePaid} />
        </Cell>
      </dl>
    </Link>
  )
}

const CopiesLoading = () => (
  <div className="flex flex-col gap-3">
    <Skeleton shape="h-32 w-full" />
    <Skeleton shape="h-20 w-full" />
    <Skeleton shape="h-20 w-full" />
  </div>
)
