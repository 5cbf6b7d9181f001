import type { DeskEndpoint } from '@fairlot/contract/desk'
import type { ButtonTone } from '@fairlot/ui/button.tsx'
import { FormDialog } from '@fairlot/ui/dialog.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { useState, type ReactNode } from 'react'
import { useDeskAct } from '../live/use-desk-act.ts'
import { type Change, ChangeList } from './change-list.tsx'

type ReasonDialogProps<Input, Output> = {
  title: string
  text?: ReactNode
  /** The call that does it, and what it is handed once there is a reason. */
  endpoint: DeskEndpoint<Input, Output>
  inputOf: (reason: string) => Input
  /** What it is now, and what it will be. */
  changes?: readonly Change[]
  /** Says beforehand that it waits for a second person; `perhaps`: where there is one who may agree. */
  needsSecond?: 'always' | 'perhaps'
  /** More fields above the reason. */
  children?: ReactNode
  /** What is wrong with those fields, asked before it is sent; null when all is well. */
  check?: () => string | null
  /** What the fields above are called, by their names in the call: a refusal that is about one begins with it. */
  labels?: Readonly<Record<string, string>>
  sendLabel: string
  tone?: ButtonTone
  /** The notice afterwards. An answer with an `approvalId` says by itself that it waits for a second person. */
  done: string
  /** What else is out of date then, besides the call's own topic. */
  topics?: readonly string[]
  onDone?: (answer: Output) => void
  onClose: () => void
}

const WAITS = 'It waits for a second person, who sees it under Waiting.'

const SECOND = {
  always: 'This needs a second person: nothing changes before they agree.',
  perhaps: 'Where there is a second person who may agree, nothing changes before they do.',
}

const waits = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'approvalId' in answer && answer.approvalId !== null

const named = (
  { problem, field }: { readonly problem: string; readonly field: string | null },
  labels: Readonly<Record<string, string>> = {},
): string => {
  const label = field === null ? undefined : labels[field]
  return label === undefined ? problem : `${label}: ${problem}`
}

/** Asks why, shows what will change, does it, and says at the field why it was refused. Open while it is there. */
export function ReasonDialog<Input, Output>(props: ReasonDialogProps<Input, Output>) {
  const { title, text, endpoint, changes = [], children, sendLabel, tone } = props
  const { run, isBusy } = useDeskAct(endpoint, {
    done: (answer) => (waits(answer) ? WAITS : props.done),
    ...(props.topics && { topics: props.topics }),
    isQuiet: true,
  })
  const [reason, setReason] = useState('')
  const [state, setState] = useState<{ problem: string | null; refused: number }>({
    problem: null,
    refused: 0,
  })
  const refuse = (problem: string) => setState(({ refused }) => ({ problem, refused: refused + 1 }))
  const send = async () => {
    if (reason.trim() === '') return refuse('Say why: it is kept with the act for good.')
    const wrong = props.check?.() ?? null
    if (wrong !== null) return refuse(wrong)
    const done = await run(props.inputOf(reason.trim()))
    if (!done.ok) return refuse(named(done, props.labels))
    props.onDone?.(done.value)
    props.onClose()
  }
  return (
    <FormDialog
      title={title}
      text={text}
      refused={state.refused}
      sendLabel={sendLabel}
      cancelLabel="Cancel"
      tone={tone ?? 'ink'}
      isBusy={isBusy}
      onClose={props.onClose}
      onSend={() => void send()}
    >
      {changes.length > 0 && <ChangeList changes={changes} />}
      {children}
      <TextAreaField
        label="Reason"
        value={reason}
        problem={state.problem}
        hint={props.needsSecond && SECOND[props.needsSecond]}
        onChange={(next) => {
          setReason(next)
          setState({ ...state, problem: null })
        }}
      />
    </FormDialog>
  )
}
