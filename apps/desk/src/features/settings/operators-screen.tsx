import {
  changeOperator,
  type DeskOperator,
  inviteOperator,
  listOperators,
  type OperatorRole,
  operatorsFile,
  renewInvitation,
  resetOperator,
  ROLES,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { day, moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay, useSelf } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { KeysDialog, type ShownKeys } from '../../ui/keys-dialog.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { ROLE_NAMES } from '../../ui/operator-names.ts'
import { DetailHead, SplitView } from '../../ui/split-view.tsx'

export const STATUS_NAMES: Record<DeskOperator['status'], string> = {
  active: 'active',
  invited: 'invited',
  off: 'switched off',
}

const columnsAt = (now: number): readonly Column<DeskOperator>[] => [
  { key: 'name', title: 'Name', cell: ({ name }) => asName(name), onPhone: 'title' },
  { key: 'role', title: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
  { key: 'status', title: 'State', cell: ({ status }) => STATUS_NAMES[status], onPhone: 'figure' },
  {
    key: 'factor',
    title: 'Second factor',
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'on' : 'not yet'),
    onPhone: 'hidden',
  },
  {
    key: 'seen',
    title: 'Last seen',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'never' : day(lastSeenAt, now)),
    align: 'end',
  },
]

/** All operators: invites them, changes roles, switches them off. */
export function OperatorsScreen({ filter }: SectionPageProps) {
  const { data, problem, retry } = useDeskQuery(listOperators, null)
  const mayChange = useMay('changeOperators')
  const now = useNow()
  const [openId, setOpenId] = useState<number | null>(null)
  const [isInviting, setIsInviting] = useState(false)
  const [keys, setKeys] = useState<ShownKeys | null>(null)
  const open = data?.operators.find(({ id }) => id === openId)
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={
        open
          ? {
              name: open.name,
              body: <OperatorDetail operator={open} />,
              actions: mayChange && <OperatorActions key={open.id} operator={open} onKeys={setKeys} />,
            }
          : null
      }
    >
      <Page
        title="Settings"
        filter={filter}
        file={<CsvButton file={operatorsFile} input={null} />}
        actions={
          mayChange && (
            <Button size="small" onClick={() => setIsInviting(true)}>
              Invite
            </Button>
          )
        }
      >
        <DataTable
          label="Operators"
          columns={columnsAt(now)}
          rows={data?.operators}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => setOpenId(id)}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No operators yet' }}
        />
      </Page>
      {isInviting && <InviteDialog onKeys={setKeys} onClose={() => setIsInviting(false)} />}
      {keys?.invitation && <KeysDialog keys={keys} onClose={() => setKeys(null)} />}
    </SplitView>
  )
}

function OperatorDetail({ operator }: { operator: DeskOperator }) {
  const now = useNow()
  const { name, role, status, hasSecondFactor, lastSeenAt, createdAt } = operator
  return (
    <>
      <DetailHead kind={`Operator ${asName(operator.id)}`} title={asName(name)} />
      <FactList
        facts={[
          { label: 'Role', value: ROLE_NAMES[role] },
          { label: 'State', value: STATUS_NAMES[status] },
          { label: 'Second factor', value: hasSecondFactor ? 'on' : 'not yet' },
          { label: 'Last seen', value: lastSeenAt === null ? 'never' : moment(lastSeenAt, now) },
          { label: 'Invited', value: moment(createdAt, now) },
        ]}
      />
    </>
  )
}

type OperatorActionsProps = { operator: DeskOperator; onKeys: (keys: ShownKeys) => void }
type OperatorDialog = 'role' | 'switch' | 'invitation' | 'reset'

/** The actions of an administrator on an operator. */
function OperatorActions({ operator, onKeys }: OperatorActionsProps) {
  const [openDialog, setOpenDialog] = useState<OperatorDialog | null>(null)
  const close = () => setOpenDialog(null)
  const dialog = { operator, onClose: close }
  const isOff = operator.status === 'off'
  const isSelf = useSelf().id === operator.id
  return (
    <>
      {operator.status === 'active' && !isSelf && (
        <Button tone="outline" onClick={() => setOpenDialog('reset')}>
          Reset
        </Button>
      )}
      <Button tone="outline" onClick={() => setOpenDialog('role')}>
        Change role
      </Button>
      {operator.status === 'invited' ? (
        <Button onClick={() => setOpenDialog('invitation')}>New invitation</Button>
      ) : (
        <Button tone={isOff ? 'ink' : 'danger'} onClick={() => setOpenDialog('switch')}>
          {isOff ? 'Switch on' : 'Switch off'}
        </Button>
      )}
      {openDialog === 'role' && <RoleDialog {...dialog} />}
      {openDialog === 'switch' && <SwitchDialog {...dialog} />}
      {openDialog === 'reset' && <ResetDialog {...dialog} onKeys={onKeys} />}
      {openDialog === 'invitation' && (
        <ReasonDialog
          title="New invitation"
          text={`The current keys of ${asName(operator.name)} stop working once a second operator has approved.`}
          endpoint={renewInvitation}
          inputOf={(reason) => ({ id: operator.id, reason })}
          twoOperatorRule="renewInvitation"
          submitLabel="Create"
          done="New invitation created."
          onDone={onKeys}
          onClose={close}
        />
      )}
    </>
  )
}

type DialogProps = { operator: DeskOperator; onClose: () => void }

type ResetDialogProps = DialogProps & { onKeys: (keys: ShownKeys) => void }

/** For a lost password or second factor: the operator joins again with an invitation. */
const ResetDialog = ({ operator: { id, name, hasSecondFactor }, onKeys, onClose }: ResetDialogProps) => (
  <ReasonDialog
    title={`Reset the log-in of ${asName(name)}`}
    text="Make sure the request is really from them. Once a second operator has approved, their sessions end and they join again with two keys: the link that you receive now and the confirmation key that the approving operator receives. Their role and audit entries are kept."
    endpoint={resetOperator}
    inputOf={(reason) => ({ id, reason })}
    changes={[
      { label: 'Password', before: 'chosen', after: 'none' },
      { label: 'Second factor', before: hasSecondFactor ? 'on' : 'not yet', after: 'none' },
    ]}
    twoOperatorRule="resetOperator"
    submitLabel="Reset"
    tone="danger"
    done="Log-in reset."
    onDone={onKeys}
    onClose={onClose}
  />
)

function RoleDialog({ operator: { id, name, role }, onClose }: DialogProps) {
  const [next, setNext] = useKeptState<OperatorRole>(`role ${id} ${role}`, role)
  return (
    <ReasonDialog
      title={`Role of ${asName(name)}`}
      endpoint={changeOperator}
      inputOf={(reason) => ({ id, role: next, isOn: null, reason })}
      changes={next === role ? [] : [{ label: 'Role', before: ROLE_NAMES[role], after: ROLE_NAMES[next] }]}
      check={() => (next === role ? 'This is the current role: choose another.' : null)}
      twoOperatorRule="changeOperator"
      submitLabel="Change role"
      done="Role changed."
      onClose={onClose}
    >
      <RoleField value={next} onChange={setNext} />
    </ReasonDialog>
  )
}

function SwitchDialog({ operator: { id, name, status }, onClose }: DialogProps) {
  const isOff = status === 'off'
  return (
    <ReasonDialog
      title={isOff ? `Switch ${asName(name)} on again` : `Switch ${asName(name)} off`}
      text={isOff ? undefined : 'Their sessions end and they cannot log in. Their audit entries are kept.'}
      endpoint={changeOperator}
      inputOf={(reason) => ({ id, role: null, isOn: isOff, reason })}
      changes={[{ label: 'State', before: STATUS_NAMES[status], after: isOff ? 'active' : STATUS_NAMES.off }]}
      twoOperatorRule={isOff ? 'changeOperator' : null}
      submitLabel={isOff ? 'Switch on' : 'Switch off'}
      tone={isOff ? 'ink' : 'danger'}
      done={isOff ? 'Switched on.' : 'Switched off.'}
      onClose={onClose}
    />
  )
}

type InviteDialogProps = { onKeys: (keys: ShownKeys) => void; onClose: () => void }

function InviteDialog({ onKeys, onClose }: InviteDialogProps) {
  const [name, setName] = useKeptState('invite', '')
  const [role, setRole] = useKeptState<OperatorRole>('invite role', 'support')
  return (
    <ReasonDialog
      title="Invite an operator"
      text="This takes two operators: you pass on a link, and the operator who approves passes on a confirmation key. The new operator then chooses a password and sets up the second factor."
      endpoint={inviteOperator}
      inputOf={(reason) => ({ name: name.trim(), role, reason })}
      check={() => (name.trim() === '' ? 'Enter a name above.' : null)}
      twoOperatorRule="inviteOperator"
      submitLabel="Invite"
      done="Invitation created."
      onDone={onKeys}
      onClose={onClose}
    >
      <TextField label="Name" value={name} autoComplete="off" onChange={setName} />
      <RoleField value={role} onChange={setRole} />
    </ReasonDialog>
  )
}

type RoleFieldProps = { value: OperatorRole; onChange: (role: OperatorRole) => void }

/** Chooses a role. */
const RoleField = ({ value, onChange }: RoleFieldProps) => (
  <SelectField
    label="Role"
    value={value}
    options={ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }))}
    onChange={onChange}
  />
)
