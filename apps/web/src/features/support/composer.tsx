import { CallError, CHAT_TEXT_LENGTH } from '@fairlot/contract'
import { Button } from '@fairlot/ui/button.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { ImagePlus, SendHorizontal } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useCaller } from '../../live/auth/user.ts'
import { useConnection } from '../../live/connection/connection-state.ts'
import { failureText } from '../../live/requests/failure-text.ts'
import { PictureField } from '../../ui/picture-field.tsx'
import { dropSent, setDraft, useDraft } from './draft.ts'
import { useSendMessage } from './queries.ts'

/** A field to write in. What could not be sent stays in it. */
export function Composer({ usualMinutes }: { usualMinutes: number | null }) {
  const t = useTranslations('support')
  const { text } = useDraft()
  const [picture, setPicture] = useState<string | null>(null)
  const [attaching, setAttaching] = useState(false)
  const [isPictureLeaving, setPictureLeaving] = useState(false)
  const isOffline = useConnection((state) => state.isOffline)
  const problemOf = useProblem()
  const attach = (isWanted: boolean) => {
    setPicture(null)
    setPictureLeaving(false)
    setAttaching(isWanted)
  }
  const { mutate, isPending, error, reset } = useSendMessage((sent) => {
    dropSent(sent)
    attach(false)
  })
  const mayAttach = useCaller() === 'real'
  // What was written to a picture does not go without it.
  const isReady = !isPictureLeaving && (text.trim() !== '' || picture !== null)
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (!isPending && isReady) mutate({ text: text.trim(), picture })
  }
  return (
    <form
      onSubmit={submit}
      className="sticky bottom-0 flex flex-col gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))]"
    >
      <UsualWait minutes={usualMinutes} />
      {attaching && (
        <PictureField
          label={t('picture')}
          sentText={t('pictureReady')}
          onChange={setPicture}
          onSending={setPictureLeaving}
        />
      )}
      <TextAreaField
        label={t('write')}
        value={text}
        rows={2}
        dir="auto"
        maxLength={CHAT_TEXT_LENGTH}
        problem={isOffline ? t('offline') : error && problemOf(error)}
        onChange={(next) => {
          if (error) reset()
          setDraft(next)
        }}
        onKeyDown={(event) => {
          const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          if (isSend && !event.nativeEvent.isComposing) submit()
        }}
      />
      <div className="flex items-center justify-between gap-2">
        {mayAttach ? (
          <IconButton
            icon={ImagePlus}
            label={t(attaching ? 'withoutPicture' : 'addPicture')}
            onClick={() => attach(!attaching)}
          />
        ) : (
          <span />
        )}
        <Button type="submit" size="small" isBusy={isPending} disabled={!isReady}>
          <span className="rtl:-scale-x-100">
            <Icon of={SendHorizontal} size={16} />
          </span>
          {t('send')}
        </Button>
      </div>
    </form>
  )
}

/** Why something could not be done, for the reader. */
function useProblem(): (error: unknown) => string | null {
  const t = useTranslations()
  return (error) =>
    error instanceof CallError
      ? failureText(error.failure, (key, values) => t(`app.${key}`, values))
      : t('support.failedToSend')
}

const HOUR = 60
const DAY = 1_440

function UsualWait({ minutes }: { minutes: number | null }) {
  const t = useTranslations('support')
  if (minutes === null) return null
  return (
    <p className="text-note text-second">
      {minutes >= DAY
        ? t('usualDays', { count: minutes / DAY })
        : minutes >= HOUR
          ? t('usualHours', { count: minutes / HOUR })
          : t('usualMinutes', { count: minutes })}
    </p>
  )
}
