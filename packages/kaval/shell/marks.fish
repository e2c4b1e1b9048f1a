# kolu's shell integration for fish, sourced by --init-command after the user's config.fish. The generated head above sets
# __kolu_nonce, __kolu_host and __kolu_path_entries as unexported globals.

set -g __kolu_ran 0

# Our directories first on PATH, each once.
for entry in $__kolu_path_entries[-1..1]
    while set -l at (contains -i -- $entry $PATH)
        set -e PATH[$at]
    end
    set -gx PATH $entry $PATH
end

# Escapes for OSC 633;E: backslash, semicolon and every control character.
function __kolu_escape
    set -l text (string replace -a '\\' '\\\\' -- $argv[1] | string replace -a ';' '\\x3b' | string collect)
    if string match -qr '[\x01-\x1f\x7f-\x9f]' -- $text
        for code in (seq 1 31) (seq 127 159)
            set -l hex (printf '%02x' $code)
            set -l char (printf '\u00'$hex | string collect -N)
            set text (string replace -a -- $char '\\x'$hex $text | string collect)
        end
    end
    printf '%s' $text
end

# A window title of one line.
function __kolu_title
    set -l text (string join ' ' -- (string split \n -- $argv[1]) | string replace -a \t ' ')
    printf '\e]2;%s\a' (string replace -ar '[\x00-\x1f\x7f-\x9f]' '' -- $text | string sub -l 256)
end

# Whether fish keeps this line out of its history.
function __kolu_hidden
    if set -q fish_private_mode; and test -n "$fish_private_mode"
        return 0
    end
    if functions -q fish_should_add_to_history
        not fish_should_add_to_history $argv[1]
        return
    end
    string match -q ' *' -- $argv[1]
end

function __kolu_preexec --on-event fish_preexec
    set -g __kolu_ran 1
    if not __kolu_hidden $argv[1]
        __kolu_title $argv[1]
        printf '\e]633;E;%s;%s\a' (__kolu_escape $argv[1] | string collect) $__kolu_nonce
    end
    printf '\e]133;C;kolu=%s\a' $__kolu_nonce
end

function __kolu_postexec --on-event fish_postexec
    set -l last $status
    if test $__kolu_ran = 1
        set -g __kolu_ran 0
        printf '\e]133;D;%s;kolu=%s\a' $last $__kolu_nonce
    end
end

# The prompt's end can only be marked from inside it, so the user's fish_prompt is wrapped, again after it was redefined.
function __kolu_wrap_prompt
    if not functions fish_prompt | string match -q '*__kolu_their_prompt*'
        functions -e __kolu_their_prompt
        functions -c fish_prompt __kolu_their_prompt
        function fish_prompt
            __kolu_their_prompt
            printf '\e]133;B;kolu=%s\a' $__kolu_nonce
        end
    end
end

# fish's own default title would show a hidden command, and ours too late. A fish_title of the user's stays.
if functions --details fish_title | string match -qr '^(embedded:|'(string escape --style=regex -- $__fish_data_dir)')'
    function fish_title
    end
end

function __kolu_prompt --on-event fish_prompt
    __kolu_postexec
    __kolu_wrap_prompt
    printf '\e]7;file://%s%s\a' $__kolu_host (string escape --style=url -- $PWD)
    __kolu_title (string replace -r '^'(string escape --style=regex -- $HOME)'(?=/|$)' '~' -- $PWD)
    printf '\e]133;A;kolu=%s\a' $__kolu_nonce
end

# Ctrl-C at the prompt paints a new one without fish_prompt being sent.
function __kolu_cancelled --on-event fish_cancel
    printf '\e]133;A;kolu=%s\a' $__kolu_nonce
end
