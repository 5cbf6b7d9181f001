import type { DeskEndpoint, TwoOperatorRuleName } from '@fairlot/contract/desk'
import type { ButtonTone } from '@fairlot/ui/controls/button.tsx'
import { FormDialog } from '@fairlot/ui/overlays/dialog.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { useState, type ReactNode } from 'react'
import { useKeptState } from '../live/kept-input.ts'
import { useDeskAction } from '../live/use-desk-action.ts'
import { type Change, ChangeList } from './change-list.tsx'
import { useSecondOperatorHint } from './second-operator.ts'

type ReasonDialogProps<Input, Output> = {
  title: string
  /** What it is about, where neither the title nor the address of the screen says which one. */
  subject?: string | number
  text?: ReactNode
  /** The endpoint of the action, and its input once there is a reason. */
  endpoint: DeskEndpoint<Input, Output>
  inputOf: (reason: string) => Input
  /** Values before and after. */
  changes?: readonly Change[]
  /** The rule by which a second operator must approve; null, the default, for none. */
  twoOperatorRule?: TwoOperatorRuleName | null
  /** More fields above the reason. */
  children?: ReactNode
  /** Checks those fields before sending: the problem, or null. */
  check?: () => string | null
  /** Labels of those fields by their names in the endpoint; a rejection about a field begins with its label. */
  labels?: Readonly<Record<string, string>>
  submitLabel: string
  tone?: ButtonTone
  /** The toast on success; for a result with an `approvalId`, the toast says that it waits for a second operator instead. */
  done: string
  /** Other topics that are out of date afterwards, besides the endpoint's own. */
  topics?: readonly string[]
  onDone?: (answer: Output) => void
  onClose: () => void
}

const WAITS = 'It waits for a second operator, who finds it under Waiting.'

const waitsForSecond = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'approvalId' in answer && answer.approvalId !== null

/** The problem, after the label of its field if that has one. */
const withLabel = (
  { problem, field }: { readonly problem: string; readonly field: string | null },
  labels: Readonly<Record<string, string>> = {},
): string => {
  const label = field === null ? undefined : labels[field]
  return label === undefined ? problem : `${label}: ${problem}`
}

/** A dialog for an action with a reason: shows what will change, runs the action, and shows a rejection at its field. */
export function ReasonDialog<Input, Output>(props: ReasonDialogProps<Input, Output>) {
  const { title, text, endpoint, changes = [], children, submitLabel, tone } = props
  const { run, isBusy } = useDeskAction(endpoint, {
    done: (answer) => (waitsForSecond(answer) ? WAITS : props.done),
    ...(props.topics && { topics: props.topics }),
    suppressErrorToast: true,
  })
  const secondOperatorHint = useSecondOperatorHint(props.twoOperatorRule ?? null)
  const [reason, setReason] = useKeptState(
    ['reason', endpoint.path, location.hash, title, props.subject].join(' '),
    '',
  )
  const [state, setState] = useState<{ problem: string | null; rejections: number }>({
    problem: null,
    rejections: 0,
  })
  const reject = (problem: string) => setState(({ rejections }) => ({ problem, rejections: rejections + 1 }))
  const send = async () => {
    if (reason.trim() === '') return reject('Enter a reason: it is kept in the audit log.')
    const wrong = props.check?.() ?? null
    if (wrong !== null) return reject(wrong)
    const done = await run(props.inputOf(reason.trim()))
    if (!done.ok) return reject(withLabel(done, props.labels))
    props.onDone?.(done.value)
    props.onClose()
  }
  return (
    <FormDialog
      title={title}
      text={text}
      rejections={state.rejections}
      submitLabel={submitLabel}
      cancelLabel="Cancel"
      tone={tone ?? 'ink'}
      isBusy={isBusy}
      onClose={props.onClose}
      onSubmit={() => void send()}
    >
      {changes.length > 0 && <ChangeList changes={changes} />}
      {children}
      <TextAreaField
        label="Reason"
        value={reason}
        problem={state.problem}
        hint={secondOperatorHint}
        onChange={(next) => {
          setReason(next)
          setState({ ...state, problem: null })
        }}
      />
    </FormDialog>
  )
}
