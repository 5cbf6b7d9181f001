import { Button } from '@fairlot/ui/button.tsx'
import { Checkbox } from '@fairlot/ui/checkbox.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { closeOwnAccount } from '../../../live/auth/session.ts'
import { queryClient } from '../../../live/requests/query-client.ts'
import { newRequestId } from '../../../live/requests/request.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { ProofField } from './proof-field.tsx'
import { CLOSING_KEY } from './queries.ts'
import { NO_PROOF, proofOf, REFUSED_PROOF, useProofCheck, type ProofKind } from './use-proof.ts'

/** Agrees to the end, shows that it is the owner, and ends the account. */
export function ClosingForm({ kind, onClosed }: { kind: ProofKind; onClosed: () => void }) {
  const t = useTranslations('ownData')
  const form = useForm(() => ({ ...NO_PROOF, isSure: false }))
  // One closing, however often it is sent.
  const [requestId] = useState(newRequestId)
  const checkProof = useProofCheck(kind)
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (values) => ({ ...checkProof(values), ...(!values.isSure && { isSure: t('sureMissing') }) }),
    send: (values) => closeOwnAccount(proofOf(values), requestId),
    fields: REFUSED_PROOF,
    onDone: onClosed,
    onRefused: () => {
      // Something may have been opened meanwhile.
      void queryClient.invalidateQueries({ queryKey: CLOSING_KEY })
      return false
    },
  })
  const { values, problems, set } = form
  return (
    <div className="mt-4">
      <FormFrame form={form} onSubmit={onSubmit}>
        <ProofField kind={kind} values={values} problems={problems} onChange={set} />
        <Checkbox isChecked={values.isSure} problem={problems.isSure} onChange={(isSure) => set({ isSure })}>
          {t('sure')}
        </Checkbox>
        <FormNote text={form.note} />
        <Button type="submit" tone="danger" isWide isBusy={isBusy}>
          {t('closeNow')}
        </Button>
      </FormFrame>
    </div>
  )
}
