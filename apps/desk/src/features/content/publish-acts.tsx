import { publishContent, withdrawContent, type ContentItem } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { useState } from 'react'
import { momentOfField } from '../../i18n/moment-field.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

/** Shows an item to readers, or takes it from them. `isDisabled`: what stands in the form is not saved yet. */
export function PublishActs({ item, isDisabled }: { item: ContentItem; isDisabled: boolean }) {
  const [asking, setAsking] = useState<'publish' | 'withdraw' | null>(null)
  const isShown = item.status === 'published' || item.status === 'scheduled'
  const close = () => setAsking(null)
  return (
    <>
      {isShown && (
        <Button size="small" tone="danger" onClick={() => setAsking('withdraw')}>
          Withdraw
        </Button>
      )}
      {item.status !== 'published' && (
        <Button size="small" disabled={isDisabled} onClick={() => setAsking('publish')}>
          Publish
        </Button>
      )}
      {asking === 'publish' && <PublishDialog item={item} onClose={close} />}
      {asking === 'withdraw' && (
        <ReasonDialog
          title="Withdraw"
          text="Readers do not find it any more. It stays here with all its versions."
          endpoint={withdrawContent}
          inputOf={(reason) => ({ id: item.id, version: item.version, reason })}
          sendLabel="Withdraw"
          tone="danger"
          done="Withdrawn."
          onClose={close}
        />
      )}
    </>
  )
}

function PublishDialog({ item: { id, version }, onClose }: { item: ContentItem; onClose: () => void }) {
  const [when, setWhen] = useState<'now' | 'later'>('now')
  const [text, setText] = useState('')
  const publishAt = when === 'now' ? null : momentOfField(text)
  return (
    <ReasonDialog
      title="Publish"
      text="Everybody can read it then, in their own language or the nearest there is."
      endpoint={publishContent}
      inputOf={(reason) => ({ id, version, publishAt, reason })}
      check={() => (when === 'later' && publishAt === null ? 'Say from when.' : null)}
      sendLabel="Publish"
      done={when === 'now' ? 'Published.' : 'Scheduled.'}
      onClose={onClose}
    >
      <Segmented
        label="When"
        value={when}
        options={[
          { value: 'now', label: 'At once' },
          { value: 'later', label: 'From a moment on' },
        ]}
        onChange={setWhen}
      />
      {when === 'later' && (
        <TextField label="From (UTC)" type="datetime-local" value={text} onChange={setText} />
      )}
    </ReasonDialog>
  )
}
