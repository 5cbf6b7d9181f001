import type { IdentityCheck } from '@fairlot/contract'
import { BadgeCheck, Hourglass } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Card } from '@fairlot/ui/card.tsx'
import { DefinitionList } from '@fairlot/ui/definition-list.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { IdentityForm } from './identity-form.tsx'
import { useIdentityCheck } from './queries.ts'

/** Who somebody is: a form at first, then that it waits, and what came of it. */
export function IdentityScreen() {
  const query = useIdentityCheck()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <Loaded query={query}>
        {(check) =>
          check.status === 'waiting' || check.status === 'verified' ? (
            <Sent status={check.status} check={check} />
          ) : (
            // What is sent again is a form of its own.
            <IdentityForm key={`${check.status} ${check.sentAt}`} check={check} />
          )
        }
      </Loaded>
    </div>
  )
}

type SentProps = { status: 'waiting' | 'verified'; check: IdentityCheck }

/** That it waits, or is verified; and what was sent, for its owner to know it again. */
function Sent({ status, check: { name, number, sentAt } }: SentProps) {
  const t = useTranslations('identity')
  const { moments } = useLocale()
  return (
    <Card>
      <div role="status">
        <EmptyState
          icon={status === 'waiting' ? Hourglass : BadgeCheck}
          title={t(status)}
          text={t(`${status}Text`)}
        />
      </div>
      {sentAt !== null && (
        <DefinitionList
          rows={[
            { term: t('ownName'), value: <bdi>{name}</bdi> },
            { term: t('document'), value: <bdi dir="ltr">{number}</bdi> },
            { term: t('sentAt'), value: moments.dateTime(sentAt) },
          ]}
        />
      )}
    </Card>
  )
}
