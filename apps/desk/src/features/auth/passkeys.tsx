import {
  addDeskPasskey,
  type DESK_PASSKEY_PURPOSES,
  listDeskPasskeys,
  passkeyCode,
  type PasskeyView,
  prepareDeskPasskey,
  prepareDeskPasskeyProof,
  removeDeskPasskey,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Dialog } from '@fairlot/ui/overlays/dialog.tsx'
import {
  canUsePasskeys,
  makePasskey,
  type PasskeyProblem,
  signWithPasskey,
} from '@fairlot/ui/passkeys/passkeys.ts'
import { Name } from '@fairlot/ui/figures/names.tsx'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { errorText, request } from '../../live/request.ts'
import { logInByPasskey } from '../../live/session.ts'
import { useDeskAction } from '../../live/use-desk-action.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { useSubmit } from './auth-page.tsx'

const PROBLEMS: Readonly<Record<PasskeyProblem, string>> = {
  cancelled: 'The passkey was not used. You can try again.',
  exists: 'This device already has a passkey of yours.',
  noScreenLock: 'This device needs a screen lock, fingerprint, face or PIN to keep a passkey.',
  failed: 'The browser could not use the passkey. Try again, or use another device.',
}

/** Whether this page can use passkeys. */
const canUseHere = (): boolean => canUsePasskeys(window.location.hostname)

/** Runs something with a passkey, and shows why it did not work. */
function usePasskey(work: () => Promise<PasskeyProblem | null>) {
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>({
    isBusy: false,
    problem: null,
  })
  const run = () => {
    setState({ isBusy: true, problem: null })
    work().then(
      (problem) => setState({ isBusy: false, problem: problem && PROBLEMS[problem] }),
      (error: unknown) => setState({ isBusy: false, problem: errorText(error) ?? PROBLEMS.failed }),
    )
  }
  return { run, ...state }
}

type PasskeyButtonProps = { label: string; work: () => Promise<PasskeyProblem | null> }

function PasskeyButton({ label, work }: PasskeyButtonProps) {
  const { run, isBusy, problem } = usePasskey(work)
  return (
    <div className="flex flex-col gap-2">
      <Button tone="outline" isWide isBusy={isBusy} onClick={run}>
        <Icon of={Fingerprint} />
        {label}
      </Button>
      <p role="status" className="text-note text-second empty:hidden">
        {problem}
      </p>
    </div>
  )
}

/** Logs in without name, password and code. */
export const PasskeyLogin = () =>
  canUseHere() && <PasskeyButton label="Log in with a passkey" work={logInByPasskey} />

type PasskeyProofProps = {
  purpose: (typeof DESK_PASSKEY_PURPOSES)[number]
  /** Receives the text that is sent in place of a code. */
  onSigned: (code: string) => Promise<void> | void
}

/** A passkey in place of a code; nothing for operators who have none. */
export function PasskeyProof({ purpose, onSigned }: PasskeyProofProps) {
  const { data } = useDeskQuery(listDeskPasskeys, null, { isOn: canUseHere() })
  if (!data || data.passkeys.length === 0) return null
  const work = async () => {
    const signature = await signWithPasskey(await request(prepareDeskPasskeyProof, { purpose }))
    if (typeof signature === 'string') return signature
    await onSigned(passkeyCode(signature))
    return null
  }
  return <PasskeyButton label="Use a passkey" work={work} />
}

/** The operator's own passkeys. */
export function PasskeysDialog({ onClose }: { onClose: () => void }) {
  const { data, problem, retry } = useDeskQuery(listDeskPasskeys, null)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <Dialog
      title="Your passkeys"
      text="A passkey logs you in with your fingerprint, face or device PIN, and confirms actions in place of a code. It works only on this site, so it cannot be phished."
      onClose={onClose}
      footer={
        <ButtonRow>
          <Button tone="outline" onClick={onClose}>
            Close
          </Button>
          {!isAdding && (
            <Button disabled={!canUseHere()} onClick={() => setIsAdding(true)}>
              Add a passkey
            </Button>
          )}
        </ButtonRow>
      }
    >
      {!canUseHere() && (
        <p className="text-note text-second">
          Passkeys cannot be used at this address or in this browser: they need https and a domain.
        </p>
      )}
      {isAdding && <AddPasskey onClose={() => setIsAdding(false)} />}
      {data ? (
        <PasskeyList passkeys={data.passkeys} />
      ) : problem ? (
        <LoadFailed problem={problem} onRetry={retry} />
      ) : (
        <Skeleton shape="h-16 w-full" />
      )}
    </Dialog>
  )
}

function PasskeyList({ passkeys }: { passkeys: readonly PasskeyView[] }) {
  const now = useNow()
  const [removed, setRemoved] = useState<PasskeyView | null>(null)
  const remove = useDeskAction(removeDeskPasskey, { done: 'Passkey removed.' })
  if (passkeys.length === 0) return <p className="text-note">You have no passkeys yet.</p>
  if (removed)
    return (
      <RemovePasskey
        passkey={removed}
        isLast={passkeys.length === 1}
        onClose={() => setRemoved(null)}
        onRemove={() => void remove.run({ id: removed.id })}
      />
    )
  return (
    <>
      <ul aria-label="Passkeys" className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className="flex flex-wrap items-center gap-3 py-2">
            <div className="min-w-0 flex-[1_1_10rem]">
              <p className="break-words">
                <Name>{passkey.name}</Name> {passkey.isSynced && <Badge>synced</Badge>}
              </p>
              <p className="text-note text-second">
                Added <Name>{moment(passkey.createdAt, now)}</Name> ·{' '}
                {passkey.usedAt === null ? 'not used yet' : `last used ${moment(passkey.usedAt, now)}`}
              </p>
              {passkey.isOfOtherDomain && (
                <p className="text-note text-danger">Does not work at this address.</p>
              )}
            </div>
            <Button
              tone="outline"
              size="small"
              aria-label={`Remove ${passkey.name}`}
              onClick={() => setRemoved(passkey)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

type RemovePasskeyProps = {
  passkey: PasskeyView
  isLast: boolean
  onClose: () => void
  onRemove: () => void
}

/** In the dialog of the list, and not in one of its own above it. */
const RemovePasskey = ({ passkey: { name }, isLast, onClose, onRemove }: RemovePasskeyProps) => (
  <div role="group" aria-label={`Remove the passkey ${name}?`} className="flex flex-col gap-3">
    <p className="font-bold">
      Remove the passkey <Name>{name}</Name>?
    </p>
    <p className="text-note text-second">
      {isLast
        ? 'It is your last one. You then log in and confirm with your password and the codes of your app, which can be phished. Delete it on your device too.'
        : 'Your other passkeys keep working. Delete it on your device too.'}
    </p>
    <ButtonRow>
      <Button tone="outline" onClick={onClose}>
        Keep it
      </Button>
      <Button
        tone="danger"
        onClick={() => {
          onRemove()
          onClose()
        }}
      >
        Remove
      </Button>
    </ButtonRow>
  </div>
)

/** Asks for a fresh code or passkey where needed, then the device makes the passkey. */
function AddPasskey({ onClose }: { onClose: () => void }) {
  const form = useForm(() => ({ name: '' }))
  const add = useDeskAction(addDeskPasskey, { done: 'Passkey added.', suppressErrorToast: true })
  const { submit, isBusy } = useSubmit({
    form,
    check: () => (form.values.name.trim() === '' ? { name: 'Name it, for example by its device.' } : {}),
    send: async () => {
      const made = await makePasskey(await request(prepareDeskPasskey, null))
      if (typeof made === 'string') return form.reject({}, PROBLEMS[made])
      const outcome = await add.run({ name: form.values.name.trim(), passkey: made })
      if (outcome.ok) onClose()
      else form.reject({}, outcome.problem)
    },
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="flex flex-col gap-3"
    >
      <TextField
        label="Name of the passkey"
        autoFocus
        maxLength={60}
        value={form.values.name}
        problem={form.problems.name}
        onChange={(name) => form.set({ name })}
      />
      <FormNote text={form.note} />
      <ButtonRow>
        <Button tone="outline" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" isBusy={isBusy}>
          Create it on this device
        </Button>
      </ButtonRow>
    </form>
  )
}
