import type { User } from '@fairlot/contract'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { showToast } from '@fairlot/ui/toast.ts'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { ProofField } from './proof-field.tsx'
import { saveOwnData } from './queries.ts'
import { NO_PROOF, proofOf, REFUSED_PROOF, useProofCheck, useProofKind, type ProofKind } from './use-proof.ts'

/** Everything about oneself, as a file. */
export function CopyCard({ user }: { user: User }) {
  const t = useTranslations('ownData')
  const kind = useProofKind(user)
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('copy')}</h2>
      <p className="mb-4 text-note text-second">{t('copyText')}</p>
      {kind === undefined ? <Skeleton shape="h-24 w-full" /> : <CopyForm user={user} kind={kind} />}
    </Card>
  )
}

function CopyForm({ user, kind }: { user: User; kind: ProofKind }) {
  const t = useTranslations('ownData')
  const form = useForm(() => NO_PROOF)
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: useProofCheck(kind),
    send: (values) => saveOwnData(user, proofOf(values)),
    fields: REFUSED_PROOF,
    onDone: () => {
      form.set(NO_PROOF)
      showToast({ text: t('copied') })
    },
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <ProofField kind={kind} values={form.values} problems={form.problems} onChange={form.set} />
      <FormNote text={form.note} />
      <Button type="submit" tone="outline" isWide isBusy={isBusy}>
        {t('download')}
      </Button>
    </FormFrame>
  )
}
