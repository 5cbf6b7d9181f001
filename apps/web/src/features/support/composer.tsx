import { CallError, CHAT_TEXT_LENGTH, UPLOAD } from '@fairlot/contract'
import { Button } from '@fairlot/ui/button.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { ImageField } from '@fairlot/ui/image-field.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { ImagePlus, SendHorizontal } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useCaller } from '../../live/auth/session.ts'
import { useConnection } from '../../live/connection/connection-state.ts'
import { failureText } from '../../live/requests/failure-text.ts'
import { sendPicture } from '../../live/requests/upload.ts'
import { setDraft, useDraft } from './draft.ts'
import { useSendMessage } from './queries.ts'

/** A field to write in. What could not be sent stays in it. */
export function Composer({ usualMinutes }: { usualMinutes: number | null }) {
  const t = useTranslations('support')
  const { text } = useDraft()
  const [picture, setPicture] = useState<string | null>(null)
  const [attaching, setAttaching] = useState(false)
  const isOffline = useConnection((state) => state.isOffline)
  const problemOf = useProblem()
  const { mutate, isPending, error, reset } = useSendMessage(() => {
    setDraft('')
    setPicture(null)
    setAttaching(false)
  })
  const mayAttach = useCaller() === 'real'
  const isEmpty = text.trim() === '' && picture === null
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (!isPending && !isEmpty) mutate({ text: text.trim(), picture })
  }
  return (
    <form
      onSubmit={submit}
      className="sticky bottom-0 flex flex-col gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))]"
    >
      <UsualWait minutes={usualMinutes} />
      {attaching && <Attachment onChange={setPicture} />}
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
            aria-pressed={attaching}
            onClick={() => {
              setPicture(null)
              setAttaching(!attaching)
            }}
          />
        ) : (
          <span />
        )}
        <Button type="submit" size="small" isBusy={isPending} disabled={isEmpty}>
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

const MEGABYTE = 1024 * 1024

/** A picture, sent away as soon as it is chosen; it goes along with the next message. */
function Attachment({ onChange }: { onChange: (url: string | null) => void }) {
  const t = useTranslations()
  const { figures } = useLocale()
  const problemOf = useProblem()
  return (
    <ImageField
      label={t('support.picture')}
      words={{
        choose: t('support.pictureChoose'),
        takePhoto: t('support.picturePhoto'),
        remove: t('support.pictureRemove'),
        sending: t('support.pictureSending'),
        percent: (part) => `${figures.count(Math.round(part * 100))}%`,
        sent: t('support.pictureReady'),
        tooLarge: t('support.pictureTooLarge', { most: figures.count(UPLOAD.bytesMax / MEGABYTE) }),
      }}
      types={UPLOAD.types}
      bytesMax={UPLOAD.bytesMax}
      send={sendPicture}
      onChange={onChange}
      problemOf={problemOf}
    />
  )
}
