import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { FormDialog } from '@fairlot/ui/overlays/dialog.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { mergeAttributes, Node } from '@tiptap/core'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import {
  Bold,
  Heading2,
  ImagePlus,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  Redo2,
  Underline,
  Undo2,
} from 'lucide-react'
import { useId, useState } from 'react'
import { useKeptState } from '../../live/kept-input.ts'
import { PictureField } from '../../ui/picture-field.tsx'
import './rich-text.css'

/** A picture as a block of the text. */
const RichTextPicture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes: () => ({ src: { default: '' }, alt: { default: '' } }),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes)],
})

/** Tables are kept as they were pasted or imported; their texts can be changed. */
const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['table', ['tbody', 0]],
})

const TableRow = Node.create({
  name: 'tableRow',
  content: 'tableCell+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

const TableCell = Node.create({
  name: 'tableCell',
  content: 'block+',
  isolating: true,
  addAttributes: () => ({
    tag: {
      default: 'td',
      parseHTML: (cell) => cell.localName,
      rendered: false,
    },
    colspan: { default: null },
    rowspan: { default: null },
  }),
  parseHTML: () => [{ tag: 'td' }, { tag: 'th' }],
  renderHTML: ({ node, HTMLAttributes }) => [node.attrs['tag'] === 'th' ? 'th' : 'td', HTMLAttributes, 0],
})

type RichTextFieldProps = {
  label: string
  /** Names the text apart from all others: what is typed into its dialogs is kept by it when the session ends. */
  name: string
  /** The initial HTML; use another React key for another text. */
  initial: string
  lang: string
  dir: 'rtl' | 'ltr'
  isReadOnly: boolean
  onChange: (html: string) => void
}

const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    link: { openOnClick: false, autolink: false, protocols: ['http', 'https'] },
  }),
  RichTextPicture,
  Table,
  TableRow,
  TableCell,
]

/** A rich text field with headings, lists, links and pictures. Its HTML is not safe by itself: the server sanitizes it. */
export function RichTextField({ label, name, initial, lang, dir, isReadOnly, onChange }: RichTextFieldProps) {
  const id = useId()
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: initial,
    editable: !isReadOnly,
    onUpdate: ({ editor: current }) => onChange(current.isEmpty ? '' : current.getHTML()),
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': id,
        lang,
        dir,
        class: 'rich-text min-h-64 px-3 py-2 text-body outline-none',
      },
    },
  })
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={id} className="text-tiny text-second">
        {label}
      </span>
      <div className={classNames('rounded-field bg-page', 'focus-within:ring-1 focus-within:ring-ink')}>
        {!isReadOnly && <Toolbar editor={editor} name={name} />}
        <EditorContent editor={editor} />
      </div>
    </div>
  )
}

type EditedText = { editor: Editor; name: string }

function Toolbar({ editor, name }: EditedText) {
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      bold: current.isActive('bold'),
      italic: current.isActive('italic'),
      underline: current.isActive('underline'),
      heading: current.isActive('heading', { level: 2 }),
      bulletList: current.isActive('bulletList'),
      orderedList: current.isActive('orderedList'),
      blockquote: current.isActive('blockquote'),
      link: current.isActive('link'),
    }),
  })
  return <ToolbarButtons editor={editor} name={name} state={state} />
}

type ToolbarState = Readonly<
  Record<
    'bold' | 'italic' | 'underline' | 'heading' | 'bulletList' | 'orderedList' | 'blockquote' | 'link',
    boolean
  >
>

type Tool = { label: string; icon: LucideIcon; isOn?: boolean; onPress: () => void }

function ToolbarButtons({ editor, name, state }: EditedText & { state: ToolbarState }) {
  const [openDialog, setOpenDialog] = useState<'link' | 'picture' | null>(null)
  const chain = () => editor.chain().focus()
  const tools: readonly Tool[] = [
    {
      label: 'Heading',
      icon: Heading2,
      isOn: state.heading,
      onPress: () => chain().toggleHeading({ level: 2 }).run(),
    },
    { label: 'Bold', icon: Bold, isOn: state.bold, onPress: () => chain().toggleBold().run() },
    { label: 'Italic', icon: Italic, isOn: state.italic, onPress: () => chain().toggleItalic().run() },
    {
      label: 'Underline',
      icon: Underline,
      isOn: state.underline,
      onPress: () => chain().toggleUnderline().run(),
    },
    { label: 'List', icon: List, isOn: state.bulletList, onPress: () => chain().toggleBulletList().run() },
    {
      label: 'Numbered list',
      icon: ListOrdered,
      isOn: state.orderedList,
      onPress: () => chain().toggleOrderedList().run(),
    },
    { label: 'Quote', icon: Quote, isOn: state.blockquote, onPress: () => chain().toggleBlockquote().run() },
    { label: 'Link', icon: Link, isOn: state.link, onPress: () => setOpenDialog('link') },
    { label: 'Picture', icon: ImagePlus, onPress: () => setOpenDialog('picture') },
    { label: 'Undo', icon: Undo2, onPress: () => chain().undo().run() },
    { label: 'Redo', icon: Redo2, onPress: () => chain().redo().run() },
  ]
  return (
    <div role="toolbar" aria-label="Text" className="flex flex-wrap border-b border-line px-1">
      {tools.map(({ label, icon, isOn, onPress }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={isOn}
          onClick={onPress}
          className={classNames(
            'inline-grid size-11 place-items-center rounded-field',
            isOn ? 'text-ink ring-1 ring-line ring-inset' : 'text-second hover:text-ink',
          )}
        >
          <Icon of={icon} size={18} />
        </button>
      ))}
      {openDialog === 'link' && (
        <LinkDialog editor={editor} name={name} onClose={() => setOpenDialog(null)} />
      )}
      {openDialog === 'picture' && (
        <PictureDialog editor={editor} name={name} onClose={() => setOpenDialog(null)} />
      )}
    </div>
  )
}

/** Sets the link of the selected text; an empty address removes it. */
function LinkDialog({ editor, name, onClose }: EditedText & { onClose: () => void }) {
  const [present] = useState(String(editor.getAttributes('link')['href'] ?? ''))
  const [address, setAddress] = useKeptState(`link ${name} ${present}`, present)
  const [rejections, setRejections] = useState(0)
  const send = () => {
    const href = address.trim()
    if (href !== '' && !/^https?:$/.test(URL.parse(href)?.protocol ?? ''))
      return setRejections(rejections + 1)
    const link = editor.chain().focus().extendMarkRange('link')
    if (href === '') link.unsetLink().run()
    else link.setLink({ href }).run()
    onClose()
  }
  return (
    <FormDialog
      title="Link"
      rejections={rejections}
      submitLabel="Set"
      cancelLabel="Cancel"
      isBusy={false}
      onClose={onClose}
      onSubmit={send}
    >
      <TextField
        label="Address"
        type="url"
        dir="ltr"
        value={address}
        problem={rejections > 0 ? 'Enter an address that begins with https://' : null}
        hint="Leave it empty to remove the link."
        onChange={setAddress}
      />
    </FormDialog>
  )
}

/** Inserts a picture at the cursor. */
function PictureDialog({ editor, name, onClose }: EditedText & { onClose: () => void }) {
  const [src, setSrc] = useKeptState(`picture ${name}`, '')
  const [alt, setAlt] = useKeptState(`description of a picture ${name}`, '')
  const [rejections, setRejections] = useState(0)
  const send = () => {
    if (src === '') return setRejections(rejections + 1)
    const attrs = { src, alt: alt.trim() }
    editor.chain().focus().insertContent({ type: RichTextPicture.name, attrs }).run()
    onClose()
  }
  return (
    <FormDialog
      title="Picture"
      rejections={rejections}
      submitLabel="Insert"
      cancelLabel="Cancel"
      isBusy={false}
      onClose={onClose}
      onSubmit={send}
    >
      <PictureField
        label="Picture"
        value={src}
        problem={rejections > 0 && src === '' ? 'Choose a picture.' : null}
        onChange={setSrc}
      />
      <TextField
        label="Description"
        value={alt}
        maxLength={200}
        hint="For screen readers. Leave it empty for decoration."
        onChange={setAlt}
      />
    </FormDialog>
  )
}
