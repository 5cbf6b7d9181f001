import { addUserNote, listUserNotes } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { useDeskAction } from '../../live/use-desk-action.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TabProps } from './user-props.ts'
import { operatorName } from '../../ui/operator-names.ts'

/** Operators' notes about a user, which cannot be changed or deleted. */
export function NotesTab({ profile }: TabProps) {
  const { id } = profile.user
  const now = useNow()
  const { table } = usePaged(listUserNotes, { id }, { rowsOf: ({ notes }) => notes })
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {useMay('notePerson') && (
        <Card>
          <NewNote id={id} />
        </Card>
      )}
      <DataTable
        {...table}
        label="Notes"
        columns={[
          {
            key: 'text',
            title: 'Note',
            cell: ({ text }) => <span className="break-words whitespace-pre-wrap">{text}</span>,
            onPhone: 'title',
          },
          { key: 'who', title: 'By', cell: ({ operator, role }) => operatorName({ name: operator, role }) },
          { key: 'at', title: 'When', cell: ({ at }) => moment(at, now), align: 'end' },
        ]}
        keyOf={(note) => note.id}
        empty={{ title: 'No notes yet', text: 'The user does not see notes.' }}
      />
    </div>
  )
}

function NewNote({ id }: { id: number }) {
  const [text, setText] = useKeptState(`note ${id}`, '')
  const { run, isBusy, problem } = useDeskAction(addUserNote, {
    done: 'Note saved.',
    suppressErrorToast: true,
  })
  const send = async () => {
    const done = await run({ id, text })
    if (done.ok) setText('')
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextAreaField
        label="New note"
        value={text}
        problem={problem}
        hint="For operators only; it cannot be changed or deleted."
        onChange={setText}
      />
      <div>
        <Button type="submit" size="small" isBusy={isBusy} disabled={text.trim() === ''}>
          Save note
        </Button>
      </div>
    </form>
  )
}
