import { confirmDeskFactor, prepareDeskFactor } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { CopyButton } from '@fairlot/ui/copy-button.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { QrCode } from '@fairlot/ui/qr-code.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { renew } from '../../live/query-client.ts'
import { refusalText, request } from '../../live/request.ts'
import { logOut } from '../../live/session.ts'
import { CodeField } from './fields.tsx'
import { Gate } from './gate.tsx'
import { useSending } from './use-sending.ts'

/** The second factor, which nobody works at the desk without: QR code, first code, recovery codes. */
export function EnrolScreen() {
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} />
  return <Enrolment onConfirmed={setRecoveryCodes} />
}

/** A secret is made once: another would make the code that was just scanned a wrong one. */
const useSecret = () =>
  useQuery({
    queryKey: ['second-factor', prepareDeskFactor.name],
    queryFn: () => request(prepareDeskFactor, null),
    staleTime: Infinity,
    gcTime: 0,
  })

function Enrolment({ onConfirmed }: { onConfirmed: (recoveryCodes: readonly string[]) => void }) {
  const { data: secret, error } = useSecret()
  const form = useForm(() => ({ code: '' }))
  const { onSubmit, isBusy } = useSending({
    form,
    check: () => (form.values.code.trim() === '' ? { code: 'The code is missing.' } : {}),
    send: async () =>
      onConfirmed((await request(confirmDeskFactor, { code: form.values.code.trim() })).recoveryCodes),
    fieldOf: () => 'code',
  })
  return (
    <Gate
      title="Second factor"
      text="Scan this with an authenticator app, then enter the code that it shows. You will be asked for one at every log-in."
    >
      {secret ? (
        <div className="flex flex-col gap-3">
          <QrCode text={secret.address} label="QR code for your authenticator app" />
          <code dir="ltr" className="text-center text-note break-all">
            {secret.secret}
          </code>
          <CopyButton
            text={secret.secret}
            label="Copy the secret"
            doneLabel="Copied"
            failedText="It could not be copied: it is selected, copy it by hand."
          />
        </div>
      ) : (
        error === null && <Skeleton shape="mx-auto size-48" />
      )}
      <FormFrame form={form} onSubmit={onSubmit}>
        <CodeField
          value={form.values.code}
          problem={form.problems.code}
          onChange={(code) => form.set({ code })}
        />
        <FormNote text={error ? refusalText(error) : form.note} />
        <Button type="submit" isWide isBusy={isBusy} disabled={!secret}>
          Switch on
        </Button>
        <Button tone="quiet" isWide onClick={() => void logOut()}>
          Log out
        </Button>
      </FormFrame>
    </Gate>
  )
}

const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <Gate
    title="Recovery codes"
    text="Each is good once, in the place of a code, when your phone is gone. They are shown now and never again."
  >
    <ul aria-label="Recovery codes" dir="ltr" className="grid grid-cols-2 gap-2 text-center">
      {codes.map((code) => (
        <li key={code} className="rounded-field bg-page py-2 text-note font-bold">
          {code}
        </li>
      ))}
    </ul>
    <CopyButton
      text={codes.join('\n')}
      label="Copy them"
      doneLabel="Copied"
      failedText="They could not be copied: they are selected, copy them by hand."
    />
    <Button isWide onClick={() => renew(['self'])}>
      I have kept them
    </Button>
  </Gate>
)
