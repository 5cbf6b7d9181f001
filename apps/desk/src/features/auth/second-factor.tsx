import { confirmDeskFactor, prepareDeskFactor, renewDeskFactor } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { CopyButton } from '@fairlot/ui/controls/copy-button.tsx'
import { FormDialog } from '@fairlot/ui/overlays/dialog.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { QrCode } from '@fairlot/ui/graphics/qr-code.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refetchTopics } from '../../live/queries.ts'
import { errorText, request, useFactorPrompt } from '../../live/request.ts'
import { logOut } from '../../live/session.ts'
import { AuthPage, CodeField, missingCode, useSubmit } from './auth-page.tsx'
import { PasskeyProof } from './passkeys.tsx'

/** Sets up the second factor, which every operator needs: QR code, first code, recovery codes. */
export function EnrolScreen() {
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} />
  return <Enrolment onConfirmed={setRecoveryCodes} />
}

/** The secret is fetched once: another one would invalidate the code that was just scanned. */
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
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: () => missingCode(form.values.code),
    send: async () =>
      onConfirmed((await request(confirmDeskFactor, { code: form.values.code.trim() })).recoveryCodes),
    fieldOf: () => 'code',
  })
  return (
    <AuthPage
      title="Second factor"
      text="Scan this with an authenticator app, then enter the code that it shows. You need a code each time you log in."
    >
      {secret ? (
        <div className="flex flex-col gap-3">
          <QrCode text={secret.address} label="QR code for your authenticator app" />
          <code dir="ltr" translate="no" className="text-center text-note break-all">
            {secret.secret}
          </code>
          <CopyButton
            text={secret.secret}
            label="Copy the secret"
            doneLabel="Copied"
            failedText="Could not copy. The text is selected: copy it by hand."
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
        <FormNote text={error ? errorText(error) : form.note} />
        <Button type="submit" isWide isBusy={isBusy} disabled={!secret}>
          Switch on
        </Button>
        <Button tone="quiet" isWide onClick={() => void logOut()}>
          Log out
        </Button>
      </FormFrame>
    </AuthPage>
  )
}

const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <AuthPage
    title="Recovery codes"
    text="If you lose your phone, each of these codes works once in place of a code from the app. They are shown only once."
  >
    <ul aria-label="Recovery codes" dir="ltr" translate="no" className="grid grid-cols-2 gap-2 text-center">
      {codes.map((code) => (
        <li key={code} className="rounded-field bg-page py-2 text-note font-bold">
          {code}
        </li>
      ))}
    </ul>
    <CopyButton
      text={codes.join('\n')}
      label="Copy the codes"
      doneLabel="Copied"
      failedText="Could not copy. The codes are selected: copy them by hand."
    />
    <Button isWide onClick={() => refetchTopics(['self'])}>
      I have saved the codes
    </Button>
  </AuthPage>
)

/** Prompts for a code of the second factor when the last one is too old; the interrupted call then continues. */
export function FactorPrompt() {
  const { answer } = useFactorPrompt()
  return answer && <FactorDialog onAnswer={answer} />
}

function FactorDialog({ onAnswer }: { onAnswer: (isGiven: boolean) => void }) {
  const form = useForm(() => ({ code: '' }))
  const renew = async (code: string) => {
    await request(renewDeskFactor, { code })
    onAnswer(true)
  }
  const { submit, isBusy } = useSubmit({
    form,
    check: () => missingCode(form.values.code),
    send: () => renew(form.values.code.trim()),
    fieldOf: () => 'code',
  })
  return (
    <FormDialog
      title="Confirm that it is you"
      text="Actions that move money or change access need a code from your authenticator app or a passkey, given within the last 5 minutes. Your action then continues."
      rejections={form.rejections}
      submitLabel="Continue"
      cancelLabel="Cancel"
      isBusy={isBusy}
      onClose={() => onAnswer(false)}
      onSubmit={submit}
    >
      <PasskeyProof purpose="confirm" onSigned={renew} />
      <CodeField
        autoFocus
        value={form.values.code}
        problem={form.problems.code}
        onChange={(code) => form.set({ code })}
      />
    </FormDialog>
  )
}
