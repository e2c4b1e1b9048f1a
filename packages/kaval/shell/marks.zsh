# kolu's shell integration for zsh: the .zshenv of a ZDOTDIR of ours. The generated head above has already put the user's
# own ZDOTDIR back, so zsh itself reads .zprofile, .zshrc and .zlogin from where they belong; it also sets __kolu_nonce,
# __kolu_host and __kolu_path_entries (nothing is exported). The user's .zshenv is read last: whatever it does or breaks,
# the functions are there, and none was parsed under an alias of theirs.

typeset -gi __kolu_ran=0 __kolu_begun=0
typeset -g __kolu_text=
typeset -gr __kolu_line_max=65536 __kolu_title_max=256
# The nonce sits in psvar and not in the text: PS1 is often exported.
typeset -gr __kolu_ps1_end=$'%{\e]133;B;kolu=%99v\a%}'

__kolu_say() {
  builtin print -rn -- "$1" 2>/dev/null >/dev/tty
}

# Percent-encodes $1 byte by byte into __kolu_text.
__kolu_percent() {
  builtin emulate -L zsh
  setopt extended_glob no_multibyte
  local LC_ALL=C MATCH
  local -i MBEGIN MEND
  __kolu_text=${1//(#m)[^A-Za-z0-9\/._~-]/%${(l:2::0:)$(( [##16] #MATCH ))}}
}

# Escapes $1 for OSC 633;E into __kolu_text: backslash, semicolon and every control character.
__kolu_escape() {
  builtin emulate -L zsh
  local char
  local -i code
  __kolu_text=${1//\\/\\\\}
  __kolu_text=${__kolu_text//;/\\x3b}
  [[ $__kolu_text == *[[:cntrl:]]* ]] || return 0
  for code in {1..31} {127..159}; do
    char=${(#)code}
    (( ${#char} == 1 )) && __kolu_text=${__kolu_text//$char/\\x${(L)${(l:2::0:)$(( [##16] code ))}}}
  done
}

# A window title of one line from $1, into __kolu_text.
__kolu_title() {
  builtin emulate -L zsh
  __kolu_text=${1//[$'\n\t']/ }
  __kolu_text=${__kolu_text//[[:cntrl:]]/}
  __kolu_text=$'\e]2;'${__kolu_text[1,__kolu_title_max]}$'\a'
}

# Whether the line that was just read stays in the history. One that does not (HIST_IGNORE_SPACE, HIST_NO_STORE, a
# zshaddhistory hook that said no) lingers until the next entry, which then takes its number: add one in a subshell and see.
__kolu_recorded() {
  builtin emulate -L zsh
  local -i before=$HISTCMD
  ( unset HISTFILE; builtin print -rs -- kolu; (( HISTCMD > before )) )
}

__kolu_preexec() {
  local -i may_hide=0
  [[ -o hist_ignore_space || -o hist_no_store || -o hist_no_functions ]] && may_hide=1
  { builtin emulate -L zsh; setopt no_xtrace } 2>/dev/null
  (( $+functions[zshaddhistory] || ${#zshaddhistory_functions} )) && may_hide=1
  local said= line=${1[1,__kolu_line_max]}
  # zsh hands over an empty line when its history holds none.
  if [[ -n $line ]] && { (( ! may_hide )) || __kolu_recorded }; then
    __kolu_title $line
    said=$__kolu_text
    __kolu_escape $line
    said+=$'\e]633;E;'$__kolu_text\;$__kolu_nonce$'\a'
  fi
  # An interrupt that lands here must not leave a start without an end.
  __kolu_ran=1
  __kolu_say $said$'\e]133;C;kolu='$__kolu_nonce$'\a'
  __kolu_arrange
}

# Ours around the user's hooks. zsh walks a copy of these arrays, so a change counts from the next prompt on.
__kolu_arrange() {
  builtin emulate -L zsh
  if [[ $precmd_functions[1] != __kolu_precmd || $precmd_functions[-1] != __kolu_ready ]]; then
    precmd_functions=(__kolu_precmd ${precmd_functions:#__kolu_(precmd|ready)} __kolu_ready)
  fi
  (( $preexec_functions[(Ie)__kolu_preexec] )) || preexec_functions+=(__kolu_preexec)
}

# First of the precmd hooks: the command is over.
__kolu_precmd() {
  local -i exit_status=$?
  { builtin emulate -L zsh; setopt no_xtrace } 2>/dev/null
  if (( __kolu_ran )); then
    __kolu_ran=0
    __kolu_say $'\e]133;D;'$exit_status';kolu='$__kolu_nonce$'\a'
  fi
  __kolu_arrange
}

# Last of the precmd hooks: the prompt comes next, and whatever the user's own hooks do to PS1 is done.
__kolu_ready() {
  local -i percent=0
  [[ -o prompt_percent ]] && percent=1
  { builtin emulate -L zsh; setopt no_xtrace } 2>/dev/null
  local said directory=$PWD
  PS1=${PS1//$__kolu_ps1_end/}
  if (( percent )); then
    psvar[99]=$__kolu_nonce
    PS1+=$__kolu_ps1_end
  fi
  __kolu_percent $PWD
  said=$'\e]7;file://'$__kolu_host$__kolu_text$'\a'
  if [[ $PWD == $HOME ]]; then
    directory='~'
  elif [[ $PWD == $HOME/* ]]; then
    directory='~'${PWD#$HOME}
  fi
  __kolu_title $directory
  __kolu_say $said$__kolu_text$'\e]133;A;kolu='$__kolu_nonce$'\a'
}

# Before the first prompt, after the user's files: our directories first on PATH, each once, and the hooks in place.
__kolu_begin() {
  (( __kolu_begun )) && return
  __kolu_begun=1
  builtin emulate -L zsh
  path=($__kolu_path_entries ${path:|__kolu_path_entries})
  __kolu_arrange
  __kolu_ready
}

# `sched` runs what is due just before a prompt, after every precmd hook and whatever became of precmd_functions.
if zmodload zsh/sched 2>/dev/null; then
  sched +0 __kolu_begin
else
  precmd_functions+=(__kolu_begin)
fi

if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
  source ${ZDOTDIR:-$HOME}/.zshenv
fi
