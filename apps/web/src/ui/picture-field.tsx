import { useTranslations } from 'use-intl'
import { CallError, UPLOAD } from '@fairlot/contract'
import { ImageField } from '@fairlot/ui/forms/image-field.tsx'
import { useLocale } from '../i18n/locale-provider.tsx'
import { failureText } from '../live/requests/request.ts'
import { sendPicture } from '../live/requests/files.ts'

const MEGABYTE = 1024 * 1024

type PictureFieldProps = {
  label: string
  hint?: string
  problem?: string | undefined
  /** Shown once the picture has been uploaded. */
  sentText?: string
  /** Receives the URL of the uploaded picture; null once it is removed. */
  onChange: (picture: string | null) => void
  onSending?: (isSending: boolean) => void
}

/** A picture for an operator to review, uploaded as soon as it is chosen. */
export function PictureField({ label, hint, problem, sentText, onChange, onSending }: PictureFieldProps) {
  const t = useTranslations()
  const { figures } = useLocale()
  const max = figures.count(UPLOAD.bytesMax / MEGABYTE)
  return (
    <ImageField
      label={label}
      hint={hint}
      problem={problem}
      texts={{
        choose: t('picture.choose'),
        takePhoto: t('picture.photo'),
        remove: t('picture.remove'),
        sending: t('picture.sending'),
        percent: (part) => `${figures.count(Math.round(part * 100))}%`,
        sent: sentText ?? t('picture.sent'),
        tooLarge: t('picture.tooLarge', { max }),
      }}
      types={UPLOAD.types}
      limits={UPLOAD}
      send={sendPicture}
      onChange={onChange}
      onSending={onSending}
      problemOf={(error) =>
        error instanceof CallError
          ? failureText(error.failure, (key, values) => t(`app.${key}`, values))
          : t('picture.failed')
      }
    />
  )
}
