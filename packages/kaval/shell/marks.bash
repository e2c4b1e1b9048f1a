# kolu's shell integration for bash, read through --rcfile. A generated head sets __kolu_nonce, __kolu_host and
# __kolu_path_entries before this text; nothing of ours is ever exported, so no program can read the nonce from its
# environment. Functions are defined before the user's files are read: an alias of theirs cannot change them.
# Written so that bash 3.2 parses it; commands are marked from 4.4 on (PS0), prompts in every version. Before 5.1, where
# PROMPT_COMMAND is one string, a user who assigns it at the prompt takes our hook away until the shell is started anew.

__kolu_void=
__kolu_ran=0
# The number of the newest history entry when the prompt was shown.
__kolu_hist=0
__kolu_started_early=0
__kolu_line_max=65536
__kolu_title_max=256
__kolu_b=$'\e]133;B;kolu='$__kolu_nonce$'\a'
__kolu_ps1_end='\[${__kolu_b-}\]'
__kolu_ps0=
__kolu_has_ps0=0
__kolu_has_array=0
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
  __kolu_has_ps0=1
  # PS0 is expanded in this shell after a line is read and before it runs. Arithmetic is the one thing there that can
  # change a variable of this shell; the rest runs in a subshell and writes to the terminal itself.
  __kolu_ps0='${__kolu_void:$((__kolu_ran=1)):0}$(__kolu_started)'
fi
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
  __kolu_has_array=1
  # Puts the prompt hook back after PROMPT_COMMAND was replaced as a whole. The place is an offset, which bash evaluates as
  # arithmetic: hence a variable of that name.
  __kolu_ready=0
  __kolu_ps0='${__kolu_void:${PROMPT_COMMAND[99]:=__kolu_ready}:0}'$__kolu_ps0
fi
builtin export -n __kolu_nonce __kolu_b

__kolu_say() {
  builtin printf '%s' "$1" 2>/dev/null >/dev/tty || builtin :
}

# Percent-encodes $1 byte by byte into __kolu_text.
__kolu_percent() {
  local LC_ALL=C rest=$1 safe hex
  __kolu_text=
  while [[ -n $rest ]]; do
    safe=${rest%%[!A-Za-z0-9/._~-]*}
    __kolu_text+=$safe
    rest=${rest#"$safe"}
    if [[ -n $rest ]]; then
      builtin printf -v hex '%02X' "'$rest"
      __kolu_text+=%${hex: -2}
      rest=${rest:1}
    fi
  done
}

# Escapes $1 for OSC 633;E into __kolu_text: backslash, semicolon and every control character.
__kolu_escape() {
  local backslash='\\' hex char code
  __kolu_text=${1//\\/"$backslash"}
  __kolu_text=${__kolu_text//;/"\\x3b"}
  [[ $__kolu_text == *[[:cntrl:]]* ]] || builtin return 0
  for ((code = 1; code < 160; code++)); do
    ((code == 32)) && code=127
    builtin printf -v hex '%02x' "$code"
    if ((code < 128)); then builtin printf -v char "\\x$hex"; else builtin printf -v char "\\u00$hex"; fi
    # In a locale without these characters a byte of theirs may belong to another one.
    if ((${#char} == 1)); then __kolu_text=${__kolu_text//"$char"/"\\x$hex"}; fi
  done
}

# A window title of one line from $1, into __kolu_text.
__kolu_title() {
  __kolu_text=${1//[$'\n\t']/ }
  __kolu_text=${__kolu_text//[[:cntrl:]]/}
  __kolu_text=$'\e]2;'${__kolu_text:0:__kolu_title_max}$'\a'
}

# Splits the output of `history 1` into __kolu_number and __kolu_text.
__kolu_history_entry() {
  __kolu_text=${1#"${1%%[0-9]*}"}
  __kolu_number=${__kolu_text%%[!0-9]*}
  __kolu_text=${__kolu_text#"$__kolu_number"}
  # A star for an edited entry or a space, and one space more.
  __kolu_text=${__kolu_text:2}
}

# Whether the line that was just read went into the history, whose newest entry is now $1 with the number $2. The number
# of before the line was read means no, except that `erasedups` takes one entry away for the one it adds: then ask
# `history -p`, which drops the newest entry if and only if it is the line being run. Only for a subshell: a copy.
__kolu_recorded() {
  (($2 != __kolu_hist)) && builtin return 0
  [[ :$HISTCONTROL: == *:erasedups:* ]] || builtin return 1
  builtin history -p '' >/dev/null 2>&1
  [[ $(builtin history 1) != "$1" ]]
}

# The newest $1 entries without their numbers into __kolu_text: one command's lines, where `cmdhist` is off.
__kolu_join_entries() {
  local rest text=
  rest=$(builtin history "$1")$'\n'
  while [[ -n $rest ]]; do
    __kolu_history_entry "${rest%%$'\n'*}"
    text+=$__kolu_text$'\n'
    rest=${rest#*$'\n'}
  done
  __kolu_text=${text%$'\n'}
}

# Runs in PS0's subshell: names the command, unless the shell keeps it out of its history, and marks its start.
__kolu_started() {
  # An interrupt must not keep a start from being marked whose end will be.
  { builtin trap '' INT; builtin set +eux; HISTTIMEFORMAT=; } 2>/dev/null
  local entry said=
  entry=$(builtin history 1 2>/dev/null)
  __kolu_history_entry "$entry"
  if [[ -n $__kolu_number ]] && __kolu_recorded "$entry" "$__kolu_number"; then
    if ((__kolu_number > __kolu_hist + 1)) && ! builtin shopt -q cmdhist; then
      __kolu_join_entries "$((__kolu_number - __kolu_hist))"
    fi
    local line=${__kolu_text:0:__kolu_line_max}
    __kolu_title "$line"
    said=$__kolu_text
    __kolu_escape "$line"
    said+=$'\e]633;E;'$__kolu_text\;$__kolu_nonce$'\a'
  fi
  __kolu_say "$said"$'\e]133;C;kolu='$__kolu_nonce$'\a'
}

__kolu_ended() {
  ((__kolu_ran)) || builtin return 0
  __kolu_ran=0
  __kolu_say $'\e]133;D;'"$1"';kolu='$__kolu_nonce$'\a'
}

# With `ignoredups` a repeated command leaves no trace that would tell it from a hidden one. So while a line is read that
# word is set aside (`ignorespace` stays), and __kolu_forget_repeat does its work afterwards.
__kolu_set_repeats_aside() {
  [[ ${HISTCONTROL@a} == *r* ]] && builtin return 0
  local words=:$HISTCONTROL:
  [[ $words == *:ignoredups:* || $words == *:ignoreboth:* ]] || builtin return 0
  __kolu_histcontrol=$HISTCONTROL
  words=${words//:ignoreboth:/:ignorespace:kolu-ignoredups:}
  words=${words//:ignoredups:/:kolu-ignoredups:}
  words=${words#:}
  HISTCONTROL=${words%:}
  __kolu_histcontrol_aside=$HISTCONTROL
}

__kolu_forget_repeat() {
  [[ $HISTCONTROL == *kolu-ignoredups* ]] || builtin return 0
  if [[ $HISTCONTROL == "$__kolu_histcontrol_aside" ]]; then
    HISTCONTROL=$__kolu_histcontrol
  else
    HISTCONTROL=${HISTCONTROL//kolu-ignoredups/ignoredups}
  fi
  local both newest
  both=$(HISTTIMEFORMAT= && builtin history 2 2>/dev/null)
  newest=${both#*$'\n'}
  # One line more than at the prompt, and equal to the one before: what `ignoredups` would have left out.
  [[ $both != *$'\n'* || $newest == *$'\n'* ]] && builtin return 0
  __kolu_history_entry "$newest"
  ((__kolu_number == __kolu_hist + 1)) || builtin return 0
  newest=$__kolu_text
  __kolu_history_entry "${both%%$'\n'*}"
  if [[ $newest == "$__kolu_text" ]]; then builtin history -d "$((__kolu_number + 1))" 2>/dev/null; fi
  builtin return 0
}

# First in PROMPT_COMMAND: the command is over. `$?` is the user's only when nothing of theirs runs before.
__kolu_prompt() {
  { local status=$?; ((__kolu_has_ps0)) && local - && builtin set +eux; } 2>/dev/null
  if ((__kolu_has_array)); then
    # bash walks the very array, so no hook may replace it as a whole; an element at its end is safe.
    [[ ${PROMPT_COMMAND[*]: -1} == __kolu_ready ]] || PROMPT_COMMAND+=(__kolu_ready)
    if [[ ${PROMPT_COMMAND[0]} == __kolu_prompt ]]; then
      __kolu_started_early=1
      __kolu_ended "$status"
      __kolu_forget_repeat
    fi
    builtin return 0
  fi
  if [[ $PROMPT_COMMAND == __kolu_prompt$'\n'*__kolu_ready ]]; then
    if ((__kolu_has_ps0)); then
      __kolu_started_early=1
      __kolu_ended "$status"
      __kolu_forget_repeat
    fi
  else
    local theirs=${PROMPT_COMMAND//__kolu_prompt/:}
    PROMPT_COMMAND=__kolu_prompt$'\n'${theirs//__kolu_ready/:}$'\n'__kolu_ready
  fi
  builtin return "$status"
}

# Ours is element 0, which is what PROMPT_COMMAND as a plain word means. When the user has assigned or extended that word,
# what they meant goes to element 1, where theirs begin, and ours is first again.
__kolu_first_again() {
  [[ ${PROMPT_COMMAND[0]-} == __kolu_prompt ]] && builtin return 0
  local theirs=${PROMPT_COMMAND[1]:-:}
  PROMPT_COMMAND[1]=${PROMPT_COMMAND[0]//__kolu_prompt/"$theirs"}
  PROMPT_COMMAND[0]=__kolu_prompt
}

# Last in PROMPT_COMMAND: the prompt comes next, and whatever the user's own hooks do to PS1 is done.
__kolu_ready() {
  { local status=$?; ((__kolu_has_ps0)) && local - && builtin set +eux; } 2>/dev/null
  local said directory=$PWD
  if ((__kolu_has_array)); then
    __kolu_first_again
    __kolu_ended "$status"
    ((__kolu_started_early)) || __kolu_forget_repeat
  fi
  PS1=${PS1//"$__kolu_ps1_end"/}
  if ((__kolu_has_ps0)); then PS0=${PS0//"$__kolu_ps0"/}; fi
  # Without `promptvars` a prompt cannot hold an expansion: it would be printed as it stands.
  if builtin shopt -q promptvars; then
    PS1+=$__kolu_ps1_end
    if ((__kolu_has_ps0)); then
      PS0=$__kolu_ps0$PS0
      ((__kolu_started_early || __kolu_has_array)) && __kolu_set_repeats_aside
      __kolu_history_entry "$(HISTTIMEFORMAT= && builtin history 1 2>/dev/null)"
      __kolu_hist=${__kolu_number:-0}
    fi
  fi
  __kolu_started_early=0
  __kolu_percent "$PWD"
  said=$'\e]7;file://'$__kolu_host$__kolu_text$'\a'
  if [[ $PWD == "$HOME" ]]; then directory='~'; elif [[ $PWD == "$HOME"/* ]]; then directory='~'${PWD#"$HOME"}; fi
  __kolu_title "$directory"
  __kolu_say "$said$__kolu_text"$'\e]133;A;kolu='$__kolu_nonce$'\a'
  builtin return 0
}

# Our directories first on PATH, each once, whatever the user's files made of it.
__kolu_path_first() {
  local index entry path=:$PATH:
  for ((index = ${#__kolu_path_entries[@]} - 1; index >= 0; index--)); do
    entry=${__kolu_path_entries[index]}
    while [[ $path == *:"$entry":* ]]; do path=${path/":$entry:"/:}; done
    path=:$entry$path
  done
  path=${path#:}
  PATH=${path%:}
}

__kolu_install() {
  __kolu_path_first
  # Where PROMPT_COMMAND is locked (some administrators do), only PS0 could be ours, and a start without an end is no use.
  [[ $(builtin declare -p PROMPT_COMMAND 2>/dev/null) =~ ^declare\ -[^\ ]*r ]] && builtin return 0
  if ((__kolu_has_array)); then
    local -a theirs=()
    [[ -n ${PROMPT_COMMAND[*]-} ]] && theirs=("${PROMPT_COMMAND[@]}")
    PROMPT_COMMAND=(__kolu_prompt "${theirs[@]}")
    PROMPT_COMMAND[99]=__kolu_ready
  else
    PROMPT_COMMAND=__kolu_prompt$'\n'${PROMPT_COMMAND:-:}$'\n'__kolu_ready
  fi
}

# What an interactive login shell reads. --rcfile and a real login exclude each other.
if [[ -r /etc/profile ]]; then . /etc/profile; fi
if [[ -r ~/.bash_profile ]]; then
  . ~/.bash_profile
elif [[ -r ~/.bash_login ]]; then
  . ~/.bash_login
elif [[ -r ~/.profile ]]; then
  . ~/.profile
elif [[ -r ~/.bashrc ]]; then
  . ~/.bashrc
fi
__kolu_install
